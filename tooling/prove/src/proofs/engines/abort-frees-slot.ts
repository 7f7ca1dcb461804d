import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedServer } from '@hermes/real-engines';
import type { Counts } from '../../proof.ts';
import { startEndless } from './start-endless.ts';

/** A small model on a fast server may reach its limit before one has looked. */
const ATTEMPTS = 10;
/** Tokens: together with the prompt they fit into the window. */
const SHORT = 3000;
const LONG = 3900;
/** llama.cpp's server sees a closed connection only after a second in which nobody asks it anything. */
const LOOK_EVERY_MS = 1200;
const LOOKS = 200;
/** They begin at once. */
const BEGIN_LOOK_EVERY_MS = 20;

/**
 * Starts a generation and then a longer one, which it aborts. The server then says that it runs one, while the
 * first goes on; were the abort lost, the first would be over before that. When it is aborted, too, the server runs none.
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

/** false: the first one came to its end, so that nothing was seen. */
async function isFreed(
  { engine, countRunning }: OpenedServer,
  ids: readonly number[],
): Promise<boolean> {
  // what an attempt before it may have left behind would be counted
  assert(await untilRunning(countRunning, 0, () => false), 'the server runs what is aborted');
  const first = startEndless(engine, ids, SHORT);
  const longer = startEndless(engine, ids, LONG);
  let isOver = false;
  void first.code.then(() => {
    isOver = true;
  });
  try {
    if (!(await untilRunning(countRunning, 2, () => isOver, BEGIN_LOOK_EVERY_MS))) return false;
    longer.abort();
    if ((await longer.code) !== 'CANCELLED' || !(await untilRunning(countRunning, 1, () => isOver)))
      return false;
  } finally {
    first.abort();
    longer.abort();
    await Promise.all([first.code, longer.code]);
  }
  assert(await untilRunning(countRunning, 0, () => false), 'the server runs what is aborted');
  return true;
}

/** Whether the server came to run so many before `isOver`. */
async function untilRunning(
  count: () => Promise<number>,
  wanted: number,
  isOver: () => boolean,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const found = await count();
    if (isOver()) return false;
    if (found === wanted) return true;
    await sleep(lookEveryMs);
  }
  return false;
}
