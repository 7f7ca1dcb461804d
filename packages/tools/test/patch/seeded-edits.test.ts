import { seededRandom } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { applyEdit } from '../../src/patch/apply-edit.ts';
import { decodeBytes, encodeText } from '../../src/patch/file-text.ts';
import { KINDS, type MadeEdit, makeEdit } from './made-edits.ts';

const EDITS = 10_000;
const PER_KIND = Math.ceil(EDITS / KINDS.length);

type Verdict = 'intended' | 'refused';

/** Throws with all that is needed to see it again. */
function judge(edit: MadeEdit, seed: number): Verdict {
  const outcome = applyEdit(decodeBytes(edit.before), { old: edit.old, new: edit.next });
  const facts = (): string =>
    JSON.stringify({
      seed,
      ...edit,
      before: edit.before.toString(),
      intended: edit.intended?.toString(),
      outcome,
    });
  if (outcome.ok) {
    const after = Buffer.from(encodeText(outcome.text));
    if (edit.intended === null || !after.equals(edit.intended))
      throw new Error(`wrong: ${facts()}`);
    return 'intended';
  }
  const isShown = outcome.places.length > 0 && outcome.places.every(({ text }) => text !== '');
  if (!isShown && outcome.code !== 'IDENTICAL') throw new Error(`no place: ${facts()}`);
  return 'refused';
}

/** The least share of edits of a kind that must be made rather than refused. */
const LEAST_MADE: Readonly<Record<string, number>> = {
  'runs of blanks collapsed': 0.3,
  'first line not indented': 0.6,
  'escaped twice': 0.4,
  'a context line remembered wrongly': 0.3,
  'of another file': 0,
  'given twice': 0,
};

it.each(KINDS)(
  'makes the intended file or leaves it and shows a place: %s',
  (kind) => {
    let made = 0;
    for (let seed = 1; seed <= PER_KIND; seed += 1) {
      const edit = makeEdit(kind, seededRandom(seed).fork(kind));
      if (judge(edit, seed) === 'intended') made += 1;
    }
    expect(made / PER_KIND).toBeGreaterThanOrEqual(LEAST_MADE[kind] ?? 0.75);
  },
  60_000,
);
