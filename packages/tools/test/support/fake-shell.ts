import type {
  CapturedBytes,
  ExecRequest,
  ExecResult,
  ExecStatus,
  Proc,
  Sandbox,
  ShellSession,
} from '@hermes/sandbox';
import { memorySandbox } from './rollout.ts';

export type Outcome = Readonly<{
  status?: ExecStatus;
  output?: string;
  droppedBytes?: number;
  cwdAfter?: string;
}>;

/** A sandbox whose one session answers from `answer`, and remembers what it was asked. */
export type FakeShell = Readonly<{
  sandbox: Sandbox;
  requests: ExecRequest[];
  opened: () => number;
  closed: () => number;
}>;

export async function fakeShell(
  answer: (request: ExecRequest) => Outcome | Promise<Outcome>,
  more: Partial<Sandbox['capabilities']> = {},
): Promise<FakeShell> {
  const memory = await memorySandbox();
  const requests: ExecRequest[] = [];
  let opened = 0;
  let closed = 0;
  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    requests.push(request);
    return resultOf(await answer(request));
  };
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const session = async (): Promise<ShellSession> => {
    opened += 1;
    return { id: `session_${opened}`, exec, close, [Symbol.asyncDispose]: close };
  };
  const capabilities = { ...memory.capabilities, shell: true, sessions: true, ...more };
  const sandbox = { ...memory, info: memory.info, capabilities, exec, session };
  return { sandbox, requests, opened: () => opened, closed: () => closed };
}

/** An outcome as the sandbox would tell it. */
function resultOf(outcome: Outcome): ExecResult {
  const { status = { status: 'exited', exitCode: 0 }, output = '', droppedBytes = 0 } = outcome;
  return {
    ...status,
    stdout: captured(output, droppedBytes),
    stderr: captured('', 0),
    leftover: { pipesOpen: false, killedPids: 0 },
    timing: { queuedMs: 0, startedAtMs: 0, wallMs: 1 },
    usage: null,
    cwdAfter: outcome.cwdAfter ?? null,
  };
}

function captured(text: string, droppedBytes: number): CapturedBytes {
  const bytes = new TextEncoder().encode(text);
  return { bytes, totalBytes: bytes.length + droppedBytes, droppedBytes, text: () => text };
}

/** A process that a test plays: it writes, ends and is killed when the test says so. */
export type PlayedProcess = Readonly<{
  proc: Proc;
  write: (text: string | Uint8Array) => void;
  end: (status: ExecStatus) => void;
  input: string[];
  killed: () => boolean;
}>;

export function playedProcess(): PlayedProcess {
  const input: string[] = [];
  const stdout = channel();
  let killed = false;
  let finish: (result: ExecResult) => void = () => undefined;
  const result = new Promise<ExecResult>((resolve) => {
    finish = resolve;
  });
  const end = (status: ExecStatus): void => {
    stdout.close();
    finish(resultOf({ status }));
  };
  const proc: Proc = {
    key: 'key',
    pid: 4242,
    stdout: stdout.chunks(),
    stderr: nothing(),
    write: async (bytes) => {
      input.push(new TextDecoder().decode(bytes));
    },
    closeStdin: async () => {
      input.push('<end>');
    },
    kill: async () => {
      killed = true;
      end({ status: 'signaled', signal: 'SIGTERM' });
    },
    wait: () => result,
  };
  return { proc, write: stdout.write, end, input, killed: () => killed };
}

type Channel = Readonly<{
  write: (text: string | Uint8Array) => void;
  close: () => void;
  chunks: () => AsyncIterable<Uint8Array>;
}>;

function channel(): Channel {
  const waiting: Uint8Array[] = [];
  let closed = false;
  let wake: () => void = () => undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    while (true) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (closed) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    write(text) {
      waiting.push(typeof text === 'string' ? new TextEncoder().encode(text) : text);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    chunks,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
