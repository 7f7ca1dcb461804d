import type { ExecRequest, ExecResult, Proc } from '../types.ts';
import { abortable, within } from './deadline.ts';
import { cancelledError, unsupported } from './errors.ts';
import type { ExecCall } from './exec-call.ts';
import { FRAME } from './frames.ts';
import type { Link } from './link.ts';
import type { LiveOutput } from './live-output.ts';
import { sendData } from './send-window.ts';
import type { CoreEffects } from './system-effects.ts';

export type ProcParts = Readonly<{
  call: ExecCall;
  result: Promise<ExecResult>;
  outputs: Readonly<{ stdout: LiveOutput; stderr: LiveOutput }>;
  request: ExecRequest;
  link: Link;
  effects: CoreEffects;
}>;

/** The handle of a running command. */
export function createProc(parts: ProcParts): Proc {
  const { call, outputs, link } = parts;
  parts.result.catch(() => undefined);
  const proc: Proc = {
    key: call.key,
    pid: call.started?.pid ?? null,
    stdout: outputs.stdout,
    stderr: outputs.stderr,
    write: async (bytes) => {
      if (parts.request.stdin !== 'open')
        throw unsupported("write to a process: it was started without stdin: 'open'");
      await sendData(link, FRAME.stdin, call.id, call.window, bytes);
    },
    closeStdin: async () => call.endStdin(),
    kill: (signal) => kill(parts, signal),
    wait: (signal) => wait(parts, signal),
  };
  if (parts.request.tty === undefined || !link.has('resize')) return proc;
  return { ...proc, resize: async (cols, rows) => call.resize(cols, rows) };
}

/** With a name that signal alone; without one TERM and, after the grace, KILL. Resolves when it is sent, without a name when the process has ended. */
async function kill(parts: ProcParts, signal: string | undefined): Promise<void> {
  const { call, request, effects } = parts;
  if (call.window.closed) return;
  call.signal((signal ?? 'TERM').replace(/^SIG/, ''));
  if (signal !== undefined) return;
  const settled = parts.result.then(
    () => undefined,
    () => undefined,
  );
  const ended = await within(effects.clock, request.killGraceMs ?? 2000, settled);
  if (!ended.late) return;
  call.signal('KILL');
  await settled;
}

async function wait(parts: ProcParts, signal: AbortSignal | undefined): Promise<ExecResult> {
  try {
    return await abortable(parts.result, signal);
  } catch (cause) {
    if (signal?.aborted) throw cancelledError('wait for a process', cause);
    throw cause;
  }
}
