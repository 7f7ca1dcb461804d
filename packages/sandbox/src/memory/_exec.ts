import { posix } from 'node:path';
import type { ExecRequest, ExecResult, ExecStatus, MemoryAnswer, MemoryCall } from '../types.ts';
import { SandboxError } from '../types.ts';
import { collectBytes } from './_bytes.ts';
import { unsupported } from './_errors.ts';
import { capture, isOverLimit } from './_output.ts';
import type { MemoryState } from './_state.ts';

export type ScriptedCommand = (call: MemoryCall) => MemoryAnswer | Promise<MemoryAnswer>;
export type ScriptedCommands = Readonly<Record<string, ScriptedCommand>>;

type Ended = Readonly<{ status: ExecStatus; stdout: string; stderr: string }>;

/** Answers a command from the script: whatever is not in it did not start, and a shell that is asked for by name is not there. */
export async function execScripted(
  state: MemoryState,
  commands: ScriptedCommands,
  request: ExecRequest,
): Promise<ExecResult> {
  refuseProcessFeatures(state, request);
  const start = state.clock.now();
  const ended = await runScripted(state, commands, request);
  const wallMs = state.clock.now().monoMs - start.monoMs;
  return finish(ended, request, { queuedMs: 0, startedAtMs: start.wallMs, wallMs });
}

function refuseProcessFeatures(state: MemoryState, request: ExecRequest): void {
  if (request.tty !== undefined) throw unsupported('terminal');
  if (request.stdin === 'open') throw unsupported('open standard input');
  if (request.user !== undefined && request.user !== state.info.user) {
    throw unsupported(`user ${request.user}`);
  }
}

function commandName(request: ExecRequest): string {
  if ('argv' in request.command) return request.command.argv[0];
  return request.command.script.trim().split(/\s/, 1)[0] ?? '';
}

function asksForShell(request: ExecRequest): boolean {
  const { command } = request;
  return 'argv' in command
    ? /^(ba)?sh$/.test(posix.basename(command.argv[0]))
    : command.shell !== undefined;
}

async function runScripted(
  state: MemoryState,
  commands: ScriptedCommands,
  request: ExecRequest,
): Promise<Ended> {
  const name = commandName(request);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined && asksForShell(request)) throw unsupported('shell');
  if (request.signal?.aborted) return withoutOutput({ status: 'cancelled' });
  if (command === undefined) {
    return withoutOutput({ status: 'not_started', message: `no scripted command ${name}` });
  }
  return raceCommand(state, command, request, name);
}

async function raceCommand(
  state: MemoryState,
  command: ScriptedCommand,
  request: ExecRequest,
  name: string,
): Promise<Ended> {
  const over = new AbortController();
  const callSignal = AbortSignal.any([over.signal, state.gone]);
  try {
    const stdin = await collectBytes(stdinOf(request));
    const answer = answerOf(state, command, request, { stdin, signal: callSignal }, name);
    return await Promise.race([answer, ...interruptions(state, request, over.signal)]);
  } finally {
    over.abort();
  }
}

function stdinOf(request: ExecRequest): Uint8Array | string | AsyncIterable<Uint8Array> {
  return request.stdin === undefined || request.stdin === 'open' ? '' : request.stdin;
}

async function answerOf(
  state: MemoryState,
  command: ScriptedCommand,
  request: ExecRequest,
  given: Pick<MemoryCall, 'stdin' | 'signal'>,
  name: string,
): Promise<Ended> {
  const cwd = posix.resolve(state.info.workdir, request.cwd ?? '.');
  try {
    const call = { ...given, command: request.command, files: state.tree.files, cwd };
    const { exitCode, stdout = '', stderr = '' } = await command(call);
    return { status: { status: 'exited', exitCode: exitCode & 255 }, stdout, stderr };
  } catch (cause) {
    const message = `The scripted command ${name} threw instead of answering: ${String(cause)}`;
    throw new SandboxError('EXEC_NOT_STARTED', 'request', message, { cause });
  }
}

/** Everything that ends a command before its own answer. Their losers end with the signal, so nothing stays behind. */
function interruptions(
  state: MemoryState,
  request: ExecRequest,
  over: AbortSignal,
): Promise<Ended>[] {
  const waits = [
    onAbort(state.gone, over).then((reason): never => {
      throw reason;
    }),
  ] as Promise<Ended>[];
  if (request.signal !== undefined) {
    waits.push(onAbort(request.signal, over).then(() => withoutOutput({ status: 'cancelled' })));
  }
  if (Number.isFinite(request.timeoutMs)) {
    const timeout = state.clock.sleep(request.timeoutMs, over);
    waits.push(timeout.then(() => withoutOutput({ status: 'timeout' }), neverEnds));
  }
  return waits;
}

function onAbort(signal: AbortSignal, over: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true, signal: over });
  });
}

/** A sleep that was called off says nothing about the command: the race is over already. */
function neverEnds(): Promise<Ended> {
  return new Promise(() => undefined);
}

function withoutOutput(status: ExecStatus): Ended {
  return { status, stdout: '', stderr: '' };
}

function finish(ended: Ended, request: ExecRequest, timing: ExecResult['timing']): ExecResult {
  const { output, onData } = request;
  const merge = output?.merge ?? false;
  const texts = {
    stdout: merge ? ended.stdout + ended.stderr : ended.stdout,
    stderr: merge ? '' : ended.stderr,
  };
  for (const stream of ['stdout', 'stderr'] as const) {
    if (texts[stream] !== '') onData?.(Buffer.from(texts[stream]), stream);
  }
  const stdout = capture(texts.stdout, output);
  const stderr = capture(texts.stderr, output);
  const over = isOverLimit(stdout, output) || isOverLimit(stderr, output);
  return {
    ...(over ? { status: 'output_limit_killed' } : ended.status),
    stdout,
    stderr,
    leftover: { pipesOpen: false, killedPids: 0 },
    timing,
    usage: null,
    cwdAfter: null,
  };
}
