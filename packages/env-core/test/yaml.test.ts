import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { readYaml } from '../src/config/_yaml.ts';
import { createEffects } from '../src/index.ts';

/** A text and what PyYAML 6.0.4 makes of it. */
type Recorded = Readonly<{ text: string; data?: unknown; fails?: true }>;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(here('fixtures/pyyaml-6.0.4.json'), 'utf8'),
);

function ours(text: string): Recorded {
  try {
    return { text, data: readYaml(text).data };
  } catch {
    return { text, fails: true };
  }
}

/** JSON has no infinity. */
function named(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? '<nan>' : value > 0 ? '<inf>' : '<-inf>';
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, named(member)]));
}

describe('YAML is read as PyYAML reads it', () => {
  it.each(recorded)('$text', (expected) => {
    expect(named(ours(expected.text))).toEqual(expected);
  });

  it('but for dates, which stay text, and keys, which are what is written', () => {
    expect(readYaml('2025: 2025-01-01\nyes: no\n').data).toEqual({
      2025: '2025-01-01',
      yes: false,
    });
  });
});

const WORDS = ['yes', '4e-5', '1:30', '010', 'text', "'q'", '[1, no]', '{x: 1}', '~', '1_0', '*s'];

/** Maps and lists of odd words, with anchors, merges and keys that stand twice. */
function oddTexts(count: number): readonly string[] {
  const random = createEffects({}, 11).random;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
  const some = (make: () => string): readonly string[] =>
    Array.from({ length: 1 + Math.floor(random.next() * 3) }, make);
  const entry = (): string => {
    const key = pick(['a', 'b', 'c']);
    const kind = pick(['word', 'list', 'map', 'merged']);
    if (kind === 'word') return `${key}: ${pick(WORDS)}`;
    if (kind === 'list') return `${key}:\n${some(() => `  - ${pick(WORDS)}\n`).join('')}`;
    const members = some(() => `  ${pick(['u', 'v', 'w'])}: ${pick(WORDS)}\n`);
    return `${key}:\n${kind === 'merged' ? '  <<: *s\n' : ''}${members.join('')}`;
  };
  return Array.from({ length: count }, () => ['s: &s {u: 1, v: off}', ...some(entry)].join('\n'));
}

describe.runIf(isExpected('transformers'))('beside PyYAML itself', () => {
  it('2,000 made texts are read alike', () => {
    const texts = oddTexts(2000);
    const answers: readonly Recorded[] = JSON.parse(
      execFileSync(pythonCommand, [here('_support/pyyaml.py')], {
        input: JSON.stringify(texts),
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      }),
    );
    for (const answer of answers) expect(named(ours(answer.text))).toEqual(answer);
  }, 60_000);
});

describe('a text that is no YAML', () => {
  it.each([
    ['a bracket that is open', 'env:\n  a: [1\n', /^line 3, column 1: .*not closed/],
    ['a tab', 'env:\n\ta: 1\n', /^line 2, column 1: .*not with tabs/],
    ['a colon in a text', 'env:\n  a: b: c\n', /^line 2, column 6: .*quotes/],
    ['a text that begins with *', 'a: *.py\n', /^line 1, column 4: .*quotes/],
    ['a wrong indent', 'env:\n  a: 1\n b: 2\n', /^line 3, column 1: .*one column/],
    ['two documents', 'a: 1\n---\nb: 1\n', /^line 2, column \d+: .*one document/],
    ['a type of Python', 'a: !!python/tuple [1]\n', /^line 1, column 4: .*Leave the tag out/],
    ['an anchor in itself', 'a: &x [*x]\n', /^line 1, column 7: an anchor stands inside itself/],
    ['a merge of no map', 'a:\n  <<: 1\n', /^line 2, column 7: <<: a map, or a list of maps/],
    ['a list as a key', '? [1]\n: b\n', /^line 1, column 3: a key is a text/],
  ])('%s: the message says where, and what to do', (_what, text, message) => {
    expect(() => readYaml(text)).toThrow(message);
  });

  it('that grows by its anchors without end is refused', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const below = Array(10).fill(level === 0 ? '1' : `*l${level - 1}`);
      return `l${level}: &l${level} [${below.join(', ')}]`;
    });
    expect(() => readYaml(levels.join('\n'))).toThrow(/more than 10000 values by anchors/);
  });
});

it('of a key that stands twice the last counts, and people are told', () => {
  const { data, doubles } = readYaml('env:\n  a: 1\n  a: 2\n');
  expect(data).toEqual({ env: { a: 2 } });
  expect(doubles).toEqual(['a stands twice in one map; line 3 counts']);
});
