import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openNoop, openOracle } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { humaneval } from '../src/index.ts';
import { ISOLATIONS, outcomes, play, temporaryFolder } from './_play.ts';
import { answering } from './_scripted-model.ts';

const config = { timeout: 3, memoryMib: 512 };

type Row = Readonly<{ prompt?: string; test: string; solution: string }>;

async function outcomeOf({ prompt = 'def work(value):\n    """Work."""\n', test, solution }: Row) {
  const row = { task_id: 'one', entry_point: 'work', canonical_solution: solution, prompt, test };
  const dataset = join(await temporaryFolder(), 'rows.jsonl');
  await writeFile(dataset, JSON.stringify(row));
  const { records } = await play(humaneval, { ...config, dataset }, openOracle, 'none');
  return outcomes(records).one;
}

describe.each(ISOLATIONS)('the built-in problems, isolation %s', (isolation) => {
  const dataset = 'builtin';

  it('are all passed by their own solutions and failed by nothing', async () => {
    const oracle = await play(humaneval, { ...config, dataset }, openOracle, isolation);
    expect(oracle.summary).toMatchObject({ total: 6, passed: 6, failed: 0, errored: 0 });
    const noop = await play(humaneval, { ...config, dataset }, openNoop, isolation);
    expect(noop.summary).toMatchObject({ total: 6, passed: 0, failed: 6, errored: 0 });
  }, 60_000);
});

describe('an answer', () => {
  const body = '    return text[::-1]\n';
  const whole = `def work(text):\n${body}`;
  const answers = {
    'is a fenced function': `Here it is:\n\n\`\`\`python\n${whole}\`\`\`\nIt reverses.`,
    'is a function without a fence': whole,
    'is the rest of the function': body,
    'is the fenced rest': `\`\`\`\n${body}\`\`\``,
    'shows a use of it in a later block': `\`\`\`python\n${whole}\`\`\`\n\`\`\`python\nprint(work("a"))\n\`\`\``,
    'corrects an earlier one': `\`\`\`python\ndef work(text):\n    return text\n\`\`\`\nNo:\n\`\`\`py\n${whole}\`\`\``,
    'comes after reasoning': `<think>\n\`\`\`python\ndef work(text): return 1\n\`\`\`\n</think>\n\`\`\`python\n${whole}\`\`\``,
    'stands in a list': `1. So:\n   \`\`\`python\n${whole.replaceAll(/^/gm, '   ')}\n   \`\`\``,
    'is cut off in its fence': `\`\`\`python\n${whole}`,
    'starts with an import from the future': `\`\`\`python\nfrom __future__ import annotations\n${whole}\`\`\``,
    'has a main block': `\`\`\`python\n${whole}\nif __name__ == "__main__":\n    raise SystemExit(work(input()))\n\`\`\``,
    'assigns the function': '```python\nwork = lambda text: text[::-1]\n```',
    'uses a helper of the prompt': '```python\ndef work(text):\n    return helper(text)\n```',
  };

  it.each(Object.entries(answers))('that %s is read', async (_name, answer) => {
    const row = {
      task_id: 'one',
      entry_point: 'work',
      prompt:
        'def helper(text):\n    return text[::-1]\n\n\ndef work(text: str) -> str:\n    """Backwards."""\n',
      canonical_solution: body,
      test: 'def check(candidate):\n    assert candidate("abc") == "cba"\n',
    };
    const dataset = join(await temporaryFolder(), 'rows.jsonl');
    await writeFile(dataset, JSON.stringify(row));
    const { records } = await play(
      humaneval,
      { ...config, dataset },
      answering(() => answer),
      'none',
    );
    expect(outcomes(records)).toEqual({ one: 1 });
  });
});

describe('a test sees of the solution', () => {
  const values = [
    ['None', 'None'],
    ['True', 'True'],
    ['-(10 ** 60)', '-(10 ** 60)'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['float("inf")', 'float("inf")'],
    ['1 + 2j', '1 + 2j'],
    ['"\\ud800 \\n ünï"', '"\\ud800 \\n ünï"'],
    ['b"\\x00\\xff"', 'b"\\x00\\xff"'],
    ['[(1, [2, {"a": {3}}])]', '[(1, [2, {"a": {3}}])]'],
    ['frozenset({(1, 2)})', 'frozenset({(1, 2)})'],
    ['{(1, "a"): None, 2.5: []}', '{(1, "a"): None, 2.5: []}'],
    ['__import__("collections").Counter("aab")', '{"a": 2, "b": 1}'],
    ['__import__("fractions").Fraction(1, 2)', '0.5'],
    ['__import__("decimal").Decimal("0.5")', '0.5'],
  ] as const;

  it.each(values)('the value %s as it is', async (returned, expected) => {
    const solution = `    return ${returned}\n`;
    const test = `def check(candidate):\n    assert candidate(1) == ${expected}\n`;
    expect(await outcomeOf({ solution, test })).toBe(1);
  });

  it('that a generator is no list, and what it yields', async () => {
    const solution = '    yield from range(value)\n';
    const equal = 'def check(candidate):\n    assert candidate(2) == [0, 1]\n';
    const listed = 'def check(candidate):\n    assert list(candidate(2)) == [0, 1]\n';
    expect(await outcomeOf({ solution, test: equal })).toBe(0);
    expect(await outcomeOf({ solution, test: listed })).toBe(1);
  });

  it('the exceptions that it raises', async () => {
    const solution = '    raise KeyError(value)\n';
    const test =
      'def check(candidate):\n    try:\n        candidate(1)\n    except KeyError:\n        return\n    assert False\n';
    expect(await outcomeOf({ solution, test })).toBe(1);
  });

  it('what it does to lists, dicts and sets that it is given', async () => {
    const solution = '    value.clear()\n';
    const test =
      'def check(candidate):\n    for value in [[1], {1: 2}, {3}]:\n        candidate(value)\n        assert not value\n';
    expect(await outcomeOf({ solution, test })).toBe(1);
  });

  it('named arguments', async () => {
    const prompt = 'def work(a, *, b=0):\n    """Sum."""\n';
    const test = 'def check(candidate):\n    assert candidate(1, b=2) == 3\n';
    expect(await outcomeOf({ prompt, solution: '    return a + b\n', test })).toBe(1);
  });

  it('and its end also where the test catches every error', async () => {
    const solution = '    import os\n    os._exit(0)\n';
    const test =
      'def check(candidate):\n    try:\n        candidate(1)\n    except Exception:\n        pass\n';
    expect(await outcomeOf({ solution, test })).toBe(0);
  });
});

describe('a problem', () => {
  const solution = '    return value\n';

  it('may end its prompt with the head of a function', async () => {
    const test = 'def check(candidate):\n    assert candidate(1) == 1\n';
    expect(await outcomeOf({ prompt: 'def work(value):\n', solution, test })).toBe(1);
  });

  it.each([
    ['whose test does not parse', 'def check(:\n'],
    ['whose test has no check', 'x = 1\n'],
    ['whose test imports what is not there', 'import no_such_module\ndef check(candidate): pass\n'],
    ['whose test calls with a function', 'def check(candidate):\n    candidate(check)\n'],
  ])('%s is errored', async (_name, test) => {
    expect(await outcomeOf({ solution, test })).toBe('item_invalid');
  });
});

it('in a sandbox without python3 a trial is errored before anything is run', async () => {
  const { records } = await play(
    humaneval,
    { ...config, dataset: 'builtin' },
    openOracle,
    'without_programs',
  );
  expect(new Set(Object.values(outcomes(records)))).toEqual(new Set(['command_missing']));
});
