import { posix } from 'node:path';
import type { ExecRequest, ExecResult } from '../types.ts';
import { unsupported } from './_errors.ts';
import { capture, isOverLimit } from './_output.ts';
import { type Ended, runCommand, type ScriptedCommand, withoutOutput } from './_run-command.ts';
import type { MemoryState } from './_state.ts';

export type ScriptedCommands = Readonly<Record<string, ScriptedCommand>>;

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
  return runCommand(state, command, request, name);
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
