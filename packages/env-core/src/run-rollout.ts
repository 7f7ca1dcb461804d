import type { ErroredRollout, RolloutRecord, RolloutTry } from '@hermes/protocol';
import type { RunContext } from './_run-context.ts';
import { openRunContext } from './_run-context.ts';
import { runTry } from './_run-try.ts';
import type { RunOptions, Trial } from './run-options.ts';

/**
 * Plays one trial with its tries and returns its final record. Never rejects: whatever goes wrong is
 * an errored record. It has limits of its own; `evaluate` shares them between its rollouts.
 */
export async function runRollout<Data>(
  options: RunOptions<Data>,
  trial: Trial<Data>,
): Promise<RolloutRecord> {
  const context = openRunContext(options);
  const { logger } = context.effects;
  const keep = (work: Promise<void> | undefined) =>
    work?.catch((error) => logger.log('error', `A sink failed: ${String(error)}`));
  const notes: TrialNotes = {
    started: async (rolloutId) => keep(options.directory?.started(trial, rolloutId)),
    tried: async (record) => {
      for (const sink of context.sinks) await keep(sink.tried?.(record));
    },
  };
  return runTrial(context, trial, notes).finally(context.alarms.close);
}

/** Where the bookkeeping of a trial goes. A rejection ends the trial and reaches the caller. */
export type TrialNotes = Readonly<{
  started: (rolloutId: string) => Promise<void>;
  tried: (record: ErroredRollout) => Promise<void>;
}>;

/** Tries until the policy says that it is enough. earlier: tries of a process that is gone. Rejects only with an error of `notes`. */
export async function runTrial<Data>(
  context: RunContext<Data>,
  trial: Trial<Data>,
  notes: TrialNotes,
  earlier: readonly RolloutTry[] = [],
): Promise<RolloutRecord> {
  const tries = [...earlier];
  for (let number = 1; ; number += 1) {
    const rolloutId = context.effects.newId('rollout');
    await notes.started(rolloutId);
    const record = await runTry(context, trial, [...tries], rolloutId);
    if (!shouldRetry(context, record, number)) return record;
    await notes.tried(record);
    tries.push(asTry(record));
    await waitBeforeRetry(context, record, number);
  }
}

/** What a later record says of an earlier try; the full record is kept apart. */
export function asTry(record: RolloutRecord): RolloutTry {
  const { rolloutId, usage, costUsd, timings } = record;
  const durationMs = timings.endedAt.monoMs - timings.startedAt.monoMs;
  const base = { rolloutId, usage, costUsd, durationMs };
  if (record.status === 'errored') return { ...base, errored: record.errored };
  return { ...base, errored: null, reward: record.reward.reward };
}

function shouldRetry<Data>(
  { retry, options }: RunContext<Data>,
  record: RolloutRecord,
  number: number,
): record is ErroredRollout {
  if (record.status === 'completed' || number >= retry.maxTries) return false;
  return !options.signal?.aborted && retry.on(record.errored);
}

/** A cancelled wait ends here too: the next try then ends at once as cancelled, and a resume runs it again. */
async function waitBeforeRetry<Data>(
  context: RunContext<Data>,
  record: ErroredRollout,
  number: number,
): Promise<void> {
  const delayMs = context.retry.delayMs(number, record.errored);
  const { trialKey, errored } = record;
  context.announce({ type: 'trial_retry', trialKey, errored, delayMs });
  await context.effects.clock.sleep(delayMs, context.options.signal).catch(() => undefined);
}
