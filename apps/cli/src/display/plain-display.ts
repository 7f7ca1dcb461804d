import type { RolloutSink, RunEvent } from '@hermes/env-core';
import type { ErroredRollout, RolloutRecord } from '@hermes/protocol';
import type { Output } from '../context.ts';
import { formatDuration, formatPlural, printable } from './format.ts';
import { ProgressTracker } from './progress.ts';

const labels = { passed: 'PASS', failed: 'FAIL', errored: 'ERROR' } as const;

/** One line a finished trial: for pipes and logs. */
export function createPlainDisplay(output: Output): RolloutSink {
  const tracker = new ProgressTracker();
  const finished = new Map<string, RolloutRecord>();
  return {
    async record(record) {
      tracker.record(record);
      finished.set(record.trialKey, record);
    },
    event: (event) => tracker.rollout(event),
    run(event) {
      tracker.run(event);
      const line = describeRunEvent(event, tracker, finished);
      if (line !== null) output.write(`${line}\n`);
      if (event.type === 'trial_end') finished.delete(event.trialKey);
    },
  };
}

/** The line for one event of a run, or null where there is nothing to say. Shared by the plain and the live display. */
export function describeRunEvent(
  event: RunEvent,
  tracker: ProgressTracker,
  finished: ReadonlyMap<string, RolloutRecord>,
): string | null {
  if (event.type === 'run_start') return describeStart(event);
  if (event.type === 'trial_retry')
    return `RETRY ${tracker.nameOf(event.trialKey)}: ${event.errored.cause}, again in ${formatDuration(event.delayMs)}`;
  if (event.type !== 'trial_end') return null;
  const record = finished.get(event.trialKey);
  const { planned, passed, failed, errored, resumed } = tracker.now();
  const position = `[${resumed + passed + failed + errored}/${planned}]`;
  return `${labels[event.outcome].padEnd(5)} ${position} ${tracker.nameOf(event.trialKey)}${describeRecord(record)}`;
}

function describeStart(event: Extract<RunEvent, { type: 'run_start' }>): string {
  const resumed =
    event.resumed === 0
      ? ''
      : `, ${event.resumed} already finished (${keptErrored(event.keptErrored)})`;
  return `run ${event.runId}: ${formatPlural(event.planned, 'trial')}${resumed}`;
}

function keptErrored(count: number): string {
  return `${count} of them errored${count === 0 ? '' : '; --retry errored runs those again'}`;
}

function describeRecord(record: RolloutRecord | undefined): string {
  if (record === undefined) return '';
  const duration = formatDuration(record.timings.endedAt.monoMs - record.timings.startedAt.monoMs);
  const timedOut = record.agentTimedOut ? ', agent timed out' : '';
  return record.status === 'completed'
    ? ` reward ${record.reward.reward} (${duration}${timedOut})`
    : ` ${describeErrored(record)} (${duration})`;
}

/** Who is to blame, the cause, and the first line of the message. */
export function describeErrored(record: ErroredRollout): string {
  const { reason, cause, error } = record.errored;
  return `${reason}/${cause}: ${printable(error.message.split('\n')[0] ?? '')}`;
}
