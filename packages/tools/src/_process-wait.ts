import type { ToolCallContext, ToolResult } from '@hermes/protocol';
import type { BackgroundProcess } from './_background-process.ts';
import { exitCodeOf, outputTail } from './_process-views.ts';
import { cancelled, completed } from './_tool.ts';

/** `wait`: until it ended, the time is over, or the rollout was stopped. */
export async function waitForProcess(
  process: BackgroundProcess,
  timeoutSeconds: number | undefined,
  maxWaitMs: number,
  { effects, signal }: ToolCallContext,
): Promise<ToolResult> {
  const askedMs = timeoutSeconds === undefined ? maxWaitMs : timeoutSeconds * 1000;
  const waitMs = Math.min(askedMs, maxWaitMs);
  const timer = new AbortController();
  const sleepSignal = AbortSignal.any([signal, timer.signal]);
  const slept = effects.clock.sleep(waitMs, sleepSignal).catch(() => undefined);
  await Promise.race([process.finished, slept]);
  timer.abort();
  if (process.ended !== null) return exited(process);
  const output = outputTail(process, 1000);
  if (signal.aborted) return cancelled({ status: 'interrupted', output });
  return completed({ status: 'timeout', output, timeout_note: timeoutNote(waitMs, askedMs) });
}

function exited(process: BackgroundProcess): ToolResult {
  return completed({
    status: 'exited',
    ...exitCodeOf(process),
    output: outputTail(process, 2000),
  });
}

function timeoutNote(waitMs: number, askedMs: number): string {
  const seconds = waitMs / 1000;
  return waitMs < askedMs
    ? `The wait was limited to ${seconds}s, the longest allowed; the process still runs`
    : `Waited ${seconds}s; the process still runs`;
}
