import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedServer } from '@hermes/real-engines';
import type { Counts } from '../../proof.ts';
import { startEndless } from './start-endless.ts';

/**
 * Starts two equal generations and aborts the first. The server then says that it runs one, while the second
 * goes on; when that is aborted, too, it runs none.
 */
export async function checkAbortFreesSlot(
  { engine, countRunning }: OpenedServer,
  ids: readonly number[],
): Promise<Counts> {
  const first = startEndless(engine, ids);
  const second = startEndless(engine, ids);
  let isSecondOver = false;
  void second.code.then(() => {
    isSecondOver = true;
  });
  try {
    await untilRunning(countRunning, 2);
    first.abort();
    assert.equal(await first.code, 'CANCELLED');
    await untilRunning(countRunning, 1);
    assert.equal(isSecondOver, false, 'the second generation came to an end');
  } finally {
    first.abort();
    second.abort();
  }
  assert.equal(await second.code, 'CANCELLED');
  await untilRunning(countRunning, 0);
  return { 'generations that the server runs: two started, one aborted, both aborted': '2, 1, 0' };
}

async function untilRunning(count: () => Promise<number>, wanted: number): Promise<void> {
  let found = await count();
  for (let look = 0; look < 1000 && found !== wanted; look += 1) {
    await sleep(20);
    found = await count();
  }
  assert.equal(found, wanted, 'generations that the server says it runs');
}
