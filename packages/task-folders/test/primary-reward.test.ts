import { describe, expect, it } from 'vitest';
import { primaryReward } from '../src/primary-reward.ts';

describe('the one number of several keys', () => {
  it('is `reward`, whatever key is configured', () => {
    expect(primaryReward({ style: 1, reward: 0.25 }, 'style')).toEqual({
      reward: 0.25,
      warning: null,
    });
  });

  it('else is the configured key', () => {
    expect(primaryReward({ style: 1, correct: 0 }, 'correct')).toEqual({
      reward: 0,
      warning: null,
    });
  });

  it('else is the mean, with a warning that names what was looked for', () => {
    expect(primaryReward({ style: 0.5, correct: 1 }, null).reward).toBe(0.75);
    expect(primaryReward({ style: 0.5, correct: 1 }, 'speed').warning).toContain('`speed`');
  });
});
