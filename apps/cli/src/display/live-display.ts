import type { RolloutSink } from '@hermes/env-core';
import type { Clock, RolloutRecord } from '@hermes/protocol';
import type { Output } from '../context.ts';
import { clearLine, formatCost, formatCount, formatDuration } from './format.ts';
import { describeRunEvent } from './plain-display.ts';
import { type Progress, ProgressTracker } from './progress.ts';

const redrawEveryMs = 100;

/** A status line at the bottom that is redrawn, finished trials above it: for terminals. */
export function createLiveDisplay(output: Output, clock: Clock): RolloutSink {
  const tracker = new ProgressTracker();
  const finished = new Map<string, RolloutRecord>();
  const startedMs = clock.now().monoMs;
  let drawnMs = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    drawnMs = clock.now().monoMs;
    const line = statusLine(tracker.now(), drawnMs - startedMs);
    output.write(clearLine + line.slice(0, Math.max(0, output.columns - 1)));
  };
  const drawSoon = (): void => {
    if (clock.now().monoMs - drawnMs >= redrawEveryMs) draw();
  };
  const timer = setInterval(draw, 1000);
  timer.unref();
  return {
    async record(record) {
      tracker.record(record);
      finished.set(record.trialKey, record);
    },
    event(event) {
      tracker.rollout(event);
      if (event.type === 'phase_start') drawSoon();
    },
    run(event) {
      tracker.run(event);
      const line = describeRunEvent(event, tracker, finished);
      if (line !== null) output.write(`${clearLine}${line}\n`);
      if (event.type === 'trial_end') finished.delete(event.trialKey);
      draw();
    },
    async close() {
      clearInterval(timer);
      output.write(clearLine);
    },
  };
}

/** Everything a watcher wants to know of a run, in one line. */
export function statusLine(progress: Progress, elapsedMs: number): string {
  const { passed, failed, errored, running, verifying, planned, resumed } = progress;
  const done = passed + failed + errored;
  const waiting = Math.max(0, planned - resumed - done - running);
  return [
    `${bar(planned === 0 ? 0 : (resumed + done) / planned)} ${resumed + done}/${planned}`,
    `waiting ${waiting}`,
    `running ${Math.max(0, running - verifying)}`,
    `verifying ${verifying}`,
    `passed ${passed}`,
    `failed ${failed}`,
    `errored ${errored}`,
    `${formatCount(progress.tokens)} tokens`,
    formatCost(progress.costUsd),
    timeLeft(done, planned - resumed, elapsedMs),
  ].join(' · ');
}

function bar(share: number): string {
  const width = 12;
  const filled = Math.round(share * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
}

function timeLeft(done: number, planned: number, elapsedMs: number): string {
  if (done === 0) return `${formatDuration(elapsedMs)} so far`;
  return `${formatDuration((elapsedMs / done) * (planned - done))} left`;
}
