import { openScope } from './_deadline.ts';
import { openRunContext, type RunContext } from './_run-context.ts';
import type { RunOptions } from './run-options.ts';

/** A run while it runs: what its rollouts share, and how to end it early. */
export type OpenRun<Data> = Readonly<{
  context: RunContext<Data>;
  signal: AbortSignal;
  abort: (reason: unknown) => void;
}>;

/** Runs work within a run; whatever happens, its deadlines are called off and it no longer follows the caller's signal. */
export async function inRun<Data, Result>(
  options: RunOptions<Data>,
  work: (run: OpenRun<Data>) => Promise<Result>,
): Promise<Result> {
  const { signal, abort, close } = openScope(options.signal);
  try {
    const context = openRunContext({ ...options, signal });
    return await work({ context, signal, abort }).finally(context.alarms.close);
  } finally {
    close();
  }
}
