import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEffects } from '@hermes/env-core';
import type { Proof, ProofOptions } from '../proof.ts';
import { runHermes } from './training/run-hermes.ts';
import { isBroken } from './training/sums.ts';

const longestLifeMs = 1_200;
/** So many that most kills hit a run in the middle. */
const itemsPerKill = 150;
const attempts = 2;

export const processProof: Proof = {
  name: 'process',
  claim:
    'A run that writes training data is killed with SIGKILL at random moments, and gone on with after each. ' +
    'Then every line is there once, in the order of the items, none half written.',
  fullCount: 20,
  shareCount: 5,
  async run({ seed, count, say }: ProofOptions) {
    const { random } = createEffects({}, seed);
    const folder = await mkdtemp(join(tmpdir(), 'hermes-prove-'));
    const path = join(folder, 'out.jsonl');
    const items = itemsPerKill * count;
    let kills = 0;
    try {
      for (let moment = 1; moment <= count; moment += 1) {
        const afterMs = Math.round(random.next() * longestLifeMs);
        if (await playAndKill(path, items, afterMs)) kills += 1;
        const lines = await linesOf(path);
        assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length, 'a line came twice');
        say(`moment ${moment}/${count}: after ${afterMs} ms; ${lines.length} lines so far`);
      }
      assert.equal(await runHermes(argvOf(path, items)).ended, 0);
      return { ...judge(await linesOf(path), await readFile(path, 'utf8'), items), kills };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** One life, up to so long after its first group. false: it came to its end before. */
async function playAndKill(path: string, items: number, afterMs: number): Promise<boolean> {
  const run = runHermes(argvOf(path, items));
  const first = run.told(/"group_end"|"summary"/);
  const isOver = await Promise.race([
    run.ended.then(() => true),
    first.then(() => sleep(afterMs)).then(() => false),
  ]);
  await run.kill();
  return !isOver;
}

function argvOf(path: string, items: number): readonly string[] {
  return [
    ...['process', 'sums', '--model', 'scripted', '--out', path, '--resume', '--json', '--no-page'],
    ...['--limit', String(items), '--group-size', String(attempts), '--concurrency', '4'],
    ...['--max-tries', '1', '--max-failed-groups', String(items)],
  ];
}

type Line = Readonly<{ id: string; itemId: string }>;

/** The whole lines; the last one may be cut while nobody has gone on with the file. */
async function linesOf(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

function judge(lines: readonly Line[], text: string, items: number) {
  assert.ok(text.endsWith('\n'), 'the last line is half written');
  const wanted = Array.from({ length: items }, (_, index) => index).filter((i) => !isBroken(i));
  const expected = wanted.flatMap((item) => Array(attempts).fill(`sum-${item}`));
  assert.deepEqual(
    lines.map(({ itemId }) => itemId),
    expected,
  );
  assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length, 'a line came twice');
  return { items, lines: lines.length, 'lines lost, doubled or half written': 0 };
}
