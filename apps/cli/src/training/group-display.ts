import type { RolloutSink, RunEvent } from '@hermes/env-core';
import type { Clock } from '@hermes/protocol';
import type { CliContext, Output } from '../context.ts';
import { clearLine, formatCost, formatCount, formatDuration } from '../display/format.ts';
import { ProgressTracker } from '../display/progress.ts';
import { GroupTracker } from './group-tracker.ts';

const REDRAW_MS = 100;

/** Shows a run that plays groups: with `--json` its events, else one line a group. */
export function createGroupDisplay(
  { json }: Readonly<{ json?: boolean }>,
  { stdout }: Pick<CliContext, 'stdout'>,
  clock: Clock,
): RolloutSink {
  return json === true ? createJsonDisplay(stdout) : createTextDisplay(stdout, clock);
}

/** One line a group and one for what becomes of the trainer; on a terminal a status line below. */
function createTextDisplay(output: Output, clock: Clock): RolloutSink {
  const trials = new ProgressTracker();
  const groups = new GroupTracker();
  const status = output.isTerminal ? openStatusLine(output, clock, trials, groups) : null;
  return {
    async record(record) {
      trials.record(record);
      groups.record(record);
    },
    event: (event) => trials.rollout(event),
    run(event) {
      trials.run(event);
      groups.run(event);
      const line = describe(event, trials, groups);
      if (line !== null) output.write(`${status === null ? '' : clearLine}${line}\n`);
      status?.draw(line !== null);
    },
    async close() {
      status?.close();
    },
  };
}

/** Each `RunEvent` a line, but for the last: the summary of a training run says more. */
function createJsonDisplay(output: Output): RolloutSink {
  return {
    run(event) {
      if (event.type !== 'run_end') output.write(`${JSON.stringify(event)}\n`);
    },
  };
}

function describe(event: RunEvent, trials: ProgressTracker, groups: GroupTracker): string | null {
  switch (event.type) {
    case 'run_start':
      return `run ${event.runId}${event.resumed === 0 ? '' : `: ${event.resumed} trials already finished`}`;
    case 'trial_retry':
      return `RETRY   ${trials.nameOf(event.trialKey)}: ${event.errored.cause}, again in ${formatDuration(event.delayMs)}`;
    case 'group_end':
      return groups.describe(event);
    case 'trainer':
      return event.state === 'step' ? null : `TRAINER ${event.message}`;
    default:
      return null;
  }
}

/** Redrawn at most ten times a second, and every second. */
function openStatusLine(
  output: Output,
  clock: Clock,
  trials: ProgressTracker,
  groups: GroupTracker,
) {
  const startedMs = clock.now().monoMs;
  let drawnMs = Number.NEGATIVE_INFINITY;
  const draw = () => {
    drawnMs = clock.now().monoMs;
    const { running, verifying, tokens, costUsd } = trials.now();
    const line = [
      ...groups.counts(),
      `running ${Math.max(0, running - verifying)}`,
      `verifying ${verifying}`,
      `${formatCount(tokens)} tokens`,
      formatCost(costUsd),
      `${formatDuration(drawnMs - startedMs)} so far`,
    ].join(' · ');
    output.write(clearLine + line.slice(0, Math.max(0, output.columns - 1)));
  };
  const timer = setInterval(draw, 1000);
  timer.unref();
  return {
    draw: (isNeeded: boolean) => {
      if (isNeeded || clock.now().monoMs - drawnMs >= REDRAW_MS) draw();
    },
    close: () => {
      clearInterval(timer);
      output.write(clearLine);
    },
  };
}
