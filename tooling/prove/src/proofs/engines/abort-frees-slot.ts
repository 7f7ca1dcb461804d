import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedServer } from '@hermes/real-engines';
import type { Counts } from '../../proof.ts';
import { startEndless } from './start-endless.ts';

/** A small model on a fast server may reach its limit before one has looked. */
const ATTEMPTS = 10;
const LOOKS = 2000;
const LOOK_EVERY_MS = 10;

/**
 * Starts two equal generations and aborts the first. The server then says that it runs one, while the second
 * goes on; when that is aborted, too, it runs none.
 */
export async function checkAbortFreesSlot(
  server: OpenedServer,
  ids: readonly number[],
): Promise<Counts> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1)
    if (await isFreed(server, ids))
      return { 'generations in the server: two begun, one aborted, both aborted': '2, 1, 0' };
  throw new Error('an aborted generation was never seen to make room for another that goes on');
}

/** false: the second one came to its end, so that nothing was seen. */
async function isFreed(
  { engine, countRunning }: OpenedServer,
  ids: readonly number[],
): Promise<boolean> {
  const first = startEndless(engine, ids);
  const second = startEndless(engine, ids);
  let isOver = false;
  void second.code.then(() => {
    isOver = true;
  });
  const isSeen = (wanted: number) => untilRunning(countRunning, wanted, () => isOver);
  try {
    if (!(await isSeen(2))) return false;
    first.abort();
    if ((await first.code) !== 'CANCELLED' || !(await isSeen(1))) return false;
  } finally {
    first.abort();
    second.abort();
    await Promise.all([first.code, second.code]);
  }
  assert(await untilRunning(countRunning, 0, () => false), 'the server runs what is aborted');
  return true;
}

/** Whether the server came to run so many before `isOver`. */
async function untilRunning(
  count: () => Promise<number>,
  wanted: number,
  isOver: () => boolean,
): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const found = await count();
    if (isOver()) return false;
    if (found === wanted) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
