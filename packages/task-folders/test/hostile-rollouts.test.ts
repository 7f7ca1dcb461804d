import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { HONEST_ANSWERS, HOSTILE_ANSWERS, HOSTILE_FLOODS } from './_hostile-answers.ts';
import { outcomeOf, PLAY_LIMIT_MS, type Played, play } from './_play.ts';
import { openLocalProvider } from './_sandbox.ts';

/** Those that meet the supervisor, or what it misses: commands that leave their process group. */
const DIFFERENT_UNDER_SH = [
  'reward-rewritten',
  'programs-of-the-root',
  'fork-bomb',
  'answer-leaves-a-forger',
];

describe.runIf(isExpected('bubblewrap')).each([
  ['go', [...HOSTILE_ANSWERS, ...HOSTILE_FLOODS]],
  ['sh', HOSTILE_ANSWERS.filter(({ name }) => DIFFERENT_UNDER_SH.includes(name))],
] as const)('a hostile rollout in bubblewrap, supervisor %s', (supervisor, answers) => {
  let played: Played;
  beforeAll(async () => {
    const provider = await openLocalProvider({ isolation: 'bubblewrap', supervisor });
    played = await play([...HONEST_ANSWERS, ...answers], provider);
  }, PLAY_LIMIT_MS + 30_000);

  it.each(answers)('is never passed: $name', ({ name, outcome = '0', outcomeUnderSh }) => {
    const expected = (supervisor === 'sh' ? outcomeUnderSh : undefined) ?? outcome;
    const record = played.records.find(({ identity }) => identity.itemId === name);
    expect(outcomeOf(record), JSON.stringify(record, null, 1)).toBe(expected);
  });

  it('leaves the trials before and after it alone', () => {
    const honest = played.records.filter(({ identity }) => identity.itemId.includes('honest'));
    expect(honest.map(outcomeOf)).toEqual(['1', '1']);
    expect(played.summary.passed).toBe(2);
  });
});
