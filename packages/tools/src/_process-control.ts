import type { ToolCallContext, ToolResult } from '@hermes/protocol';
import type { BackgroundProcess } from './_background-process.ts';
import { exitCodeOf } from './_process-views.ts';
import { cancelled, completed, failed } from './_tool.ts';

const INPUT_TIMEOUT_MS = 10_000;

/** `kill`: the process with everything it started. */
export async function killProcess(process: BackgroundProcess): Promise<ToolResult> {
  if (process.ended !== null) return alreadyExited(process);
  await process.kill();
  return completed({ status: 'killed', session_id: process.id });
}

/** `write` and `submit`. A process that does not read must not hold the rollout. */
export async function sendInput(
  process: BackgroundProcess,
  data: string,
  { effects, signal }: ToolCallContext,
): Promise<ToolResult> {
  const refusal = refuseInput(process);
  if (refusal !== null) return refusal;
  const timer = new AbortController();
  const sleepSignal = AbortSignal.any([signal, timer.signal]);
  const written = process.write(data).then(() => true);
  const slept = effects.clock.sleep(INPUT_TIMEOUT_MS, sleepSignal).then(ranOut, ranOut);
  const taken = await Promise.race([written, slept]).finally(() => timer.abort());
  written.catch(() => undefined); // of a write that was given up
  if (taken) return sent(data);
  return signal.aborted ? cancelled({ status: 'interrupted' }) : notRead();
}

/** `close`: the process reads the end of its input. */
export async function closeInput(process: BackgroundProcess): Promise<ToolResult> {
  const refusal = refuseInput(process);
  if (refusal !== null) return refusal;
  await process.closeStdin();
  return completed({ status: 'ok', message: 'The input is closed' });
}

function refuseInput(process: BackgroundProcess): ToolResult | null {
  if (process.ended !== null) return alreadyExited(process);
  if (process.stdin === 'open') return null;
  const error =
    process.stdin === 'closed'
      ? 'The input of this process is closed already'
      : 'Processes have no input in this sandbox';
  return failed('STDIN_NOT_OPEN', { status: 'error', error });
}

function alreadyExited(process: BackgroundProcess): ToolResult {
  return completed({
    status: 'already_exited',
    session_id: process.id,
    ...exitCodeOf(process),
  });
}

function sent(data: string): ToolResult {
  return completed({ status: 'ok', bytes_written: new TextEncoder().encode(data).length });
}

function notRead(): ToolResult {
  const error = `The process did not read its input within ${INPUT_TIMEOUT_MS / 1000}s; a part may have arrived`;
  return failed('STDIN_NOT_READ', { status: 'error', error });
}

const ranOut = (): boolean => false;
