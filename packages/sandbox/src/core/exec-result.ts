import type { ResourceUsage } from '@hermes/protocol';
import type { ExecResult, ExecStatus } from '../types.ts';
import { NO_OUTPUT } from './captured-bytes.ts';
import type { CallEnd, ExecCall } from './exec-call.ts';
import type { ExitFrame } from './exec-frames.ts';

/** Times of a command that only this side knows. */
export type CallTimes = Readonly<{ waitedMs: number; startedAtMs: number; wallMs: number }>;

/** The result of a call that ran, or that the supervisor could not start. */
export function execResult(call: ExecCall, end: CallEnd, times: CallTimes): ExecResult {
  const { exit } = end;
  return {
    ...(exit === null ? { status: end.late ?? 'timeout' } : statusOf(exit)),
    stdout: call.stdout.finish(exit?.stdoutTotal),
    stderr: call.stderr.finish(exit?.stderrTotal),
    leftover: { pipesOpen: exit?.pipesOpen ?? true, killedPids: exit?.killedPids ?? 0 },
    timing: {
      queuedMs: times.waitedMs + (call.started?.queuedMs ?? 0),
      startedAtMs: call.started?.startedAtMs ?? times.startedAtMs,
      wallMs: exit?.wallMs ?? times.wallMs,
    },
    usage: exit === null ? null : usageOf(exit),
    cwdAfter: exit?.cwdAfter ?? null,
  };
}

/** The result of a request whose signal fired before anything was started. */
export function cancelledBeforeStart(times: CallTimes): ExecResult {
  return {
    status: 'cancelled',
    stdout: NO_OUTPUT,
    stderr: NO_OUTPUT,
    leftover: { pipesOpen: false, killedPids: 0 },
    timing: { queuedMs: times.waitedMs, startedAtMs: times.startedAtMs, wallMs: 0 },
    usage: null,
    cwdAfter: null,
  };
}

/** Whether a process of this command may have been ended by the kernel for want of memory. */
export function wasKilled(result: ExecStatus): boolean {
  if (result.status === 'signaled') return result.signal === 'SIGKILL';
  return result.status === 'exited' && result.exitCode === 137;
}

function statusOf(exit: ExitFrame): ExecStatus {
  switch (exit.status) {
    case 'exited':
      return { status: 'exited', exitCode: exit.code ?? 0 };
    case 'signaled':
      return { status: 'signaled', signal: exit.signal ?? 'SIGKILL' };
    case 'timeout':
    case 'cancelled':
    case 'output_limit_killed':
      return { status: exit.status };
    default:
      return { status: 'not_started', message: exit.message };
  }
}

function usageOf(exit: ExitFrame): ResourceUsage | null {
  if (exit.usage === null) return null;
  return {
    cpuSeconds: exit.usage.cpuSeconds,
    peakMemoryBytes: exit.usage.peakMemoryBytes,
    wallSeconds: exit.wallMs / 1000,
    diskBytes: null,
    oomKills: null,
    scope: 'exec',
    source: 'rusage',
    exact: false,
  };
}
