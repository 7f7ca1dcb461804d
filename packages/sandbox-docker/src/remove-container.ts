import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import { engineError, failureOf, isMissing } from './engine-error.ts';

/** A daemon that does not get it done is not waited for: the reaper tries again. */
const LONGEST_MS = 20_000;
const LOOK_MS = 20;

/** Gone with its volumes; also when somebody else is removing it just now. */
export async function removeContainer({ docker }: Engine, id: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(LONGEST_MS);
  for (;;) {
    try {
      return await docker.getContainer(id).remove({ force: true, v: true, abortSignal });
    } catch (cause) {
      if (isMissing(cause)) return;
      const isUnderWay = failureOf(cause).status === 409;
      if (!isUnderWay || abortSignal.aborted)
        throw engineError(cause, `remove container ${id.slice(0, 12)}`);
    }
    await sleep(LOOK_MS);
  }
}
