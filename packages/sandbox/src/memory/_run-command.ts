import { posix } from 'node:path';
import type { ExecRequest, ExecStatus, MemoryAnswer, MemoryCall } from '../types.ts';
import { SandboxError } from '../types.ts';
import { collectBytes } from './_bytes.ts';
import { unlessInterrupted } from './_command-race.ts';
import type { MemoryState } from './_state.ts';

export type ScriptedCommand = (call: MemoryCall) => MemoryAnswer | Promise<MemoryAnswer>;

export type Ended = Readonly<{ status: ExecStatus; stdout: string; stderr: string }>;

/** A command that answers at once needs neither timer nor listeners: no time passes in which something could end it. */
export async function runCommand(
  state: MemoryState,
  command: ScriptedCommand,
  request: ExecRequest,
  name: string,
): Promise<Ended> {
  const over = new LazySignal();
  const start = (stdin: Uint8Array) => answerOf(command, callOf(state, request, stdin, over), name);
  try {
    const { stdin = '' } = request;
    const answer = isAtOnce(stdin) ? start(bytesOf(stdin)) : collectBytes(stdin).then(start);
    if (answer instanceof Promise) return await unlessEnded(state, request, answer);
    return interruption(state, request) ?? answer;
  } finally {
    over.abort();
  }
}

type Input = NonNullable<ExecRequest['stdin']>;

function isAtOnce(stdin: Input): stdin is string | Uint8Array {
  return typeof stdin === 'string' || stdin instanceof Uint8Array;
}

function bytesOf(stdin: string | Uint8Array): Uint8Array {
  if (stdin === '' || stdin === 'open') return NO_BYTES;
  return typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin.slice();
}

const NO_BYTES = new Uint8Array();

/** Most commands never ask for their signal, and it costs more than all else about a call. */
class LazySignal {
  #controller: AbortController | null = null;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller?.abort();
  }
}

function callOf(
  state: MemoryState,
  request: ExecRequest,
  stdin: Uint8Array,
  over: LazySignal,
): MemoryCall {
  return {
    stdin,
    command: request.command,
    files: state.tree.files,
    cwd: posix.resolve(state.info.workdir, request.cwd ?? '.'),
    get signal() {
      return over.signal;
    },
  };
}

function answerOf(
  command: ScriptedCommand,
  call: MemoryCall,
  name: string,
): Ended | Promise<Ended> {
  const refuse = (cause: unknown): never => {
    const message = `The scripted command ${name} threw instead of answering: ${String(cause)}`;
    throw new SandboxError('EXEC_NOT_STARTED', 'request', message, { cause });
  };
  try {
    const answer = command(call);
    return answer instanceof Promise ? answer.then(exited).catch(refuse) : exited(answer);
  } catch (cause) {
    return refuse(cause);
  }
}

function exited({ exitCode, stdout = '', stderr = '' }: MemoryAnswer): Ended {
  return { status: { status: 'exited', exitCode: exitCode & 255 }, stdout, stderr };
}

/** What has ended the command by now; throws where the sandbox is gone. */
function interruption(state: MemoryState, { signal }: ExecRequest): Ended | null {
  state.gone.throwIfAborted();
  return signal?.aborted ? withoutOutput({ status: 'cancelled' }) : null;
}

/** The answer, unless the end of the sandbox, of the caller's patience or of the time comes before it. */
function unlessEnded(
  state: MemoryState,
  request: ExecRequest,
  answer: Promise<Ended>,
): Promise<Ended> {
  return unlessInterrupted(answer, {
    clock: state.clock,
    timeoutMs: request.timeoutMs,
    onTimeout: () => withoutOutput({ status: 'timeout' }),
    signals: request.signal ? [state.gone, request.signal] : [state.gone],
    onAbort: () => interruption(state, request),
  });
}

/** How a command ended that has written nothing. */
export function withoutOutput(status: ExecStatus): Ended {
  return { status, stdout: '', stderr: '' };
}
