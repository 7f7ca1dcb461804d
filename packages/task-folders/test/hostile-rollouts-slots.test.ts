import { isExpected } from '@hermes/vitest-config/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { HONEST_ANSWERS, HOSTILE_ANSWERS, HOSTILE_FLOODS } from './_hostile-answers.ts';
import { outcomeOf, PLAY_LIMIT_MS, type Played, play } from './_play.ts';
import { openSlotProvider } from './_sandbox.ts';

const ANSWERS = [...HOSTILE_ANSWERS, ...HOSTILE_FLOODS];

describe.runIf(isExpected('docker'))('a hostile rollout in a slot of a shared container', () => {
  let played: Played;
  beforeAll(async () => {
    played = await play([...HONEST_ANSWERS, ...ANSWERS], await openSlotProvider());
  }, PLAY_LIMIT_MS + 30_000);

  it.each(ANSWERS)('comes to what is known of it: $name', ({ name, outcome = '0' }) => {
    const record = played.records.find(({ identity }) => identity.itemId === name);
    expect(outcomeOf(record), JSON.stringify(record, null, 1)).toBe(outcome);
  });

  it('leaves the trials before and after it alone', () => {
    const honest = played.records.filter(({ identity }) => identity.itemId.includes('honest'));
    expect(honest.map(outcomeOf)).toEqual(['1', '1']);
  });
});
