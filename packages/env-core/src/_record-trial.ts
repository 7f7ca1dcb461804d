import type { RolloutRecord } from '@hermes/protocol';
import type { RunContext } from './_run-context.ts';
import type { RunEvent } from './run-events.ts';
import type { Trial } from './run-options.ts';
import { runTrial } from './run-rollout.ts';

/** Runs a trial with its tries and hands its records to all sinks. Rejects only when a sink or the run directory fails. */
export async function recordTrial<Data>(
  context: RunContext<Data>,
  trial: Trial<Data>,
): Promise<RolloutRecord> {
  const { directory } = context.options;
  context.announce({ type: 'trial_start', ...shownTrial(trial) });
  const notes = {
    started: async (rolloutId: string) => directory?.started(trial, rolloutId),
    tried: async (record: Parameters<NonNullable<typeof directory>['tried']>[0]) => {
      for (const sink of context.sinks) await sink.tried?.(record);
    },
  };
  const record = await runTrial(context, trial, notes, directory?.earlierTries(trial.trialKey));
  for (const sink of context.sinks) await sink.record?.(record);
  context.announce({ type: 'trial_end', ...shownTrial(trial), ...outcomeOf(record) });
  return record;
}

/** What an event says of its trial. */
export function shownTrial(trial: Trial<unknown>): {
  trialKey: string;
  itemId: string;
  attempt: number;
} {
  const { trialKey: key, identity } = trial;
  return { trialKey: key, itemId: identity.itemId, attempt: identity.attempt };
}

type Outcome = Pick<Extract<RunEvent, { type: 'trial_end' }>, 'outcome' | 'reward' | 'errored'>;

function outcomeOf(record: RolloutRecord): Outcome {
  if (record.status === 'errored') {
    const { reason, cause, error } = record.errored;
    return { outcome: 'errored', reward: null, errored: { reason, cause, message: error.message } };
  }
  const { reward, resolved } = record.reward;
  return { outcome: resolved ? 'passed' : 'failed', reward, errored: null };
}
