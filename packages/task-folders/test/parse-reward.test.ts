import { describe, expect, it } from 'vitest';
import { parseReward, type RewardFileName } from '../src/parse-reward.ts';

function parsed(name: RewardFileName, content: string): unknown {
  const result = parseReward(name, new TextEncoder().encode(content));
  return result.ok ? result.rewards : result.cause;
}

describe('reward.txt', () => {
  it.each([
    ['0.5', 0.5],
    [' 1\n\n', 1],
    ['1\r\n', 1],
    ['1e-1', 0.1],
    ['1_0', 10],
    ['1_0.2_5', 10.25],
    ['+1', 1],
    ['-0.25', -0.25],
    ['.5', 0.5],
    ['5.', 5],
    ['1E2', 100],
  ])('%j is a number', (content, reward) => {
    expect(parsed('reward.txt', content)).toEqual({ reward });
  });

  it.each([
    'nope',
    '0x1',
    'nan',
    'inf',
    '-Infinity',
    '1e999',
    '  \n',
    '\uFEFF1',
    '1\uFEFF',
    '1 2',
    '_1',
    '1__0',
    '1_',
    '.',
    'e5',
    '1,5',
    '0b1',
    'true',
  ])('%j is refused', (content) => {
    expect(parsed('reward.txt', content)).toBe('reward_unparsable');
  });

  it('of no bytes is empty, and bytes that are no text are refused', () => {
    expect(parsed('reward.txt', '')).toBe('reward_empty');
    expect(parseReward('reward.txt', Uint8Array.of(0xff, 0x31))).toMatchObject({
      ok: false,
      cause: 'reward_unparsable',
    });
  });
});

describe('reward.json', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":true,"b":false}', { a: 1, b: 0 }],
    [' {"reward": 0.5, "style": -1e2} \n', { reward: 0.5, style: -100 }],
    ['{"a":123456789012345678901234567890}', { a: 123456789012345680000000000000 }],
    ['{"a":1,"a":2}', { a: 2 }],
  ])('%s holds its keys', (content, rewards) => {
    expect(parsed('reward.json', content)).toEqual(rewards);
  });

  it('keeps a key of any name', () => {
    const result = parseReward('reward.json', new TextEncoder().encode('{"__proto__":1}'));
    expect(result.ok && Object.entries(result.rewards)).toEqual([['__proto__', 1]]);
  });

  it.each([
    '{"a":"1"}',
    '{"a":NaN}',
    '{"a":1e309}',
    '{"a":{"b":1}}',
    '{"a":null}',
    '{"a":[1]}',
    '[1,2]',
    'null',
    '{',
    '3',
    '"x"',
    ' ',
    '\uFEFF{"a":1}',
    '[['.repeat(200_000),
  ])('%.20j is refused', (content) => {
    expect(parsed('reward.json', content)).toBe('reward_unparsable');
  });

  it('without a key is no reward, and of no bytes is empty', () => {
    expect(parsed('reward.json', '{}')).toBe('reward_missing');
    expect(parsed('reward.json', '')).toBe('reward_empty');
  });
});
