import type { FakeClock } from '@hermes/protocol/testing';

/** Moves the clock on step by step until the work is over, and tells how much time that took. */
export async function passTime(
  clock: FakeClock,
  stepMs: number,
  work: Promise<unknown>,
): Promise<number> {
  const startMs = clock.now().monoMs;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(stepMs);
  await over;
  return clock.now().monoMs - startMs;
}
