import { expect, it } from 'vitest';
import { tellFaults } from '../src/server/tell-faults.ts';

it('a failure that meets every request is told once a minute, another one at once', () => {
  let monoMs = 0;
  const told: string[] = [];
  const clock = { now: () => ({ monoMs, wallMs: 0 }), sleep: async () => undefined };
  const tell = tellFaults(clock, { log: (_level, message) => void told.push(message) });
  const full = new Error('no space left');
  for (monoMs = 0; monoMs < 90_000; monoMs += 1_000) tell(full);
  tell(new Error('broken disk'));
  expect(told).toEqual([
    'A request failed: Error: no space left',
    'A request failed: Error: no space left',
    'A request failed: Error: broken disk',
  ]);
});
