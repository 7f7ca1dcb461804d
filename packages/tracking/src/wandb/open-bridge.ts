import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { JsonObject } from '@hermes/protocol';
import { failure } from '../_failure.ts';
import { packageFile } from '../package-file.ts';
import { createExchange, type Exchange } from './exchange.ts';

const STDERR_KEPT = 2_000;
/** How long the last words of a process are waited for: its stderr may live on in processes of the client. */
const LAST_WORDS_MS = 500;
/** The client reports its own crashes to its makers, also when offline. */
const QUIET = { WANDB_ERROR_REPORTING: 'false', WANDB_SILENT: 'true' };

/** A Python process with the client in it. It ends with its input, so also when this process is killed. */
export type Bridge = Readonly<{
  /** One question at a time. Where the signal fires, or no answer comes in time, it rejects, and the process is killed. */
  ask: (message: JsonObject, timeoutMs: number, signal: AbortSignal) => Promise<JsonObject>;
  /** Nothing more will be asked. */
  end: () => void;
  /** Resolves when the process is gone. */
  gone: Promise<void>;
  kill: () => void;
}>;

/** How the process is started. */
export type BridgeOptions = Readonly<{
  python: string;
  folder: string;
  variables: Readonly<Record<string, string | undefined>>;
}>;

/** In a process group of its own: ctrl-C in a terminal is for us, and we end it in order. */
export function openBridge({ python, folder, variables }: BridgeOptions): Bridge {
  const child = spawn(python, [packageFile('python/hermes_wandb_bridge.py')], {
    cwd: folder,
    env: { ...variables, ...QUIET },
    detached: true,
  });
  const exchange = createExchange();
  const gone = followToItsEnd(child, exchange);
  const kill = () => killGroup(child);
  return {
    end: () => child.stdin.end(),
    gone,
    kill,
    ask: async (message, timeoutMs, signal) => {
      const answered = new AbortController();
      const late = () => {
        exchange.end(failure(`its Python process did not answer within ${timeoutMs / 1000} s`));
        kill();
      };
      onFirst([signal, AbortSignal.timeout(timeoutMs)], late, answered.signal);
      const send = () => child.stdin.write(`${JSON.stringify(message)}\n`);
      return exchange.ask(send).finally(() => answered.abort());
    },
  };
}

/** Passes answers on; resolves when the process is gone. */
function followToItsEnd(child: ChildProcessWithoutNullStreams, exchange: Exchange): Promise<void> {
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint = (complaint + text).slice(-STDERR_KEPT);
  });
  child.stdin.on('error', () => undefined); // nobody reads any more: its end says so
  const answers = createInterface({ input: child.stdout });
  answers.on('line', (line) => {
    const answer = answerOf(line);
    if (answer !== null) exchange.answer(answer);
  });
  const isDead = () => child.exitCode !== null || child.signalCode !== null;
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      exchange.end(failure(`its Python could not be started: ${cause.message}`, { cause }));
      resolve();
    });
    const end = () => {
      exchange.end(failure(`its Python process ended: ${lastLine(complaint)}`));
      if (isDead()) resolve();
      else child.once('exit', () => resolve());
    };
    // Only this pipe is the process's own: its end is that of the process.
    answers.once('close', () => afterLastWords(child, end));
  });
}

/** Its two pipes are read one after the other: what it said last may come behind its end. */
function afterLastWords({ stderr }: ChildProcessWithoutNullStreams, call: () => void): void {
  if (stderr.readableEnded) {
    call();
    return;
  }
  const onEnd = () => {
    clearTimeout(timer);
    call();
  };
  const timer = setTimeout(() => {
    stderr.off('end', onEnd);
    call();
  }, LAST_WORDS_MS);
  stderr.once('end', onEnd);
}

/** null: a Python that is set up to say something when it starts. */
function answerOf(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}

/** The client's own service is in a session of its own; it watches the process that started it, and ends with it. */
function killGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function onFirst(signals: readonly AbortSignal[], call: () => void, unless: AbortSignal): void {
  const first = AbortSignal.any([...signals]);
  if (first.aborted) call();
  else first.addEventListener('abort', call, { once: true, signal: unless });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'it said nothing';
}
