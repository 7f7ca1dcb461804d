import { posix } from 'node:path';
import type { ExecRequest } from '../types.ts';
import { SandboxError } from '../types.ts';
import { homeOf } from './environment.ts';
import type { StartFrame } from './exec-frames.ts';

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_KILL_GRACE_MS = 2000;
const DEFAULT_DRAIN_MS = 2000;
const DRAIN_IDLE_MS = 250;
const UNLIMITED_BYTES = 2 ** 52;
/** Above this a script goes in frames of its own, since a frame has an end. */
const INLINE_SCRIPT_BYTES = 131_072;

/** What a sandbox adds to every request. */
export type ExecDefaults = Readonly<{
  workdir: string;
  env: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
  /** Who runs a command that names no user; absent: the supervisor's own user. */
  user?: string;
}>;

export type PreparedExec = Readonly<{
  start: StartFrame;
  scriptParts: Uint8Array | null;
  capture: Readonly<{ maxBytes: number; keep: StartFrame['keep'] }>;
}>;

type Form = Readonly<{
  key: string;
  /** All output is sent as it comes, and capped on this side. */
  streamed: boolean;
  /** The supervisor kills at the limit by itself, so it must be told the limit. */
  killsAtLimit: boolean;
  /** The session's id; its shell has directory and environment already. */
  session: number | null;
}>;

/** The start frame of a request; throws CONFIG for what no command could mean. */
export function prepareExec(
  request: ExecRequest,
  defaults: ExecDefaults,
  form: Form,
): PreparedExec {
  const capture = {
    maxBytes: checkedBytes(request.output?.maxBytes),
    keep: request.output?.keep ?? 'head_tail',
  } as const;
  const { fields, scriptParts } = commandFields(request);
  const start: StartFrame = {
    key: form.key,
    ...fields,
    ...placeFields(request, defaults, form.session),
    ...limitFields(request, form, capture),
    stdin: request.stdin === undefined ? 'none' : 'open',
    ...(request.tty === undefined ? {} : { tty: request.tty }),
  };
  return { start, scriptParts, capture };
}

/** A path of a request, from the sandbox's working directory when it is relative. */
export function resolvePath(workdir: string, path: string): string {
  return posix.resolve(workdir, path);
}

function commandFields({ command }: ExecRequest): {
  fields: Partial<StartFrame>;
  scriptParts: Uint8Array | null;
} {
  if ('argv' in command) return { fields: { argv: command.argv }, scriptParts: null };
  const shell = command.shell === undefined ? {} : { shell: command.shell };
  if (command.script.length < INLINE_SCRIPT_BYTES)
    return { fields: { script: command.script, ...shell }, scriptParts: null };
  return { fields: { scriptParts: true, ...shell }, scriptParts: Buffer.from(command.script) };
}

function placeFields(
  request: ExecRequest,
  defaults: ExecDefaults,
  session: number | null,
): Pick<StartFrame, 'env'> & Partial<StartFrame> {
  const own = { ...request.env, ...secretsOf(request.secrets ?? [], defaults.secrets) };
  // A session's shell runs as its user already.
  const name = session === null ? (request.user ?? defaults.user) : request.user;
  const user = name === undefined ? {} : { user: name };
  if (session !== null) {
    const cwd = request.cwd === undefined ? {} : { cwd: request.cwd };
    return { session, env: own, ...cwd, ...user };
  }
  const home = name === undefined ? {} : { HOME: homeOf(name) };
  const cwd = resolvePath(defaults.workdir, request.cwd ?? '.');
  return { env: { ...defaults.env, ...home, ...own }, cwd, ...user };
}

function limitFields(
  request: ExecRequest,
  form: Form,
  capture: PreparedExec['capture'],
): Omit<StartFrame, 'key' | 'env' | 'stdin'> {
  const killAtLimit = request.output?.killAtLimit ?? false;
  const whole = form.streamed && !(killAtLimit && form.killsAtLimit);
  return {
    timeoutMs: checkedTimeout(request.timeoutMs),
    killGraceMs: request.killGraceMs ?? DEFAULT_KILL_GRACE_MS,
    maxBytes: whole ? UNLIMITED_BYTES : capture.maxBytes,
    keep: form.streamed ? 'head' : capture.keep,
    merge: request.output?.merge ?? false,
    killAtLimit,
    background: request.background ?? (form.session === null ? 'kill' : 'adopt'),
    drainMs: request.drainMs ?? DEFAULT_DRAIN_MS,
    drainIdleMs: Math.min(DRAIN_IDLE_MS, request.drainMs ?? DRAIN_IDLE_MS),
  };
}

function secretsOf(
  names: readonly string[],
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name of names) {
    const value = secrets[name];
    if (value === undefined)
      throw config(`request.secrets: ${name} is not among the secrets of the sandbox's spec`);
    named[name] = value;
  }
  return named;
}

/** On the wire 0 is "no limit": the sandbox's lifetime then ends it. */
function checkedTimeout(timeoutMs: number): number {
  if (timeoutMs === Number.POSITIVE_INFINITY) return 0;
  if (!(timeoutMs > 0))
    throw config(`request.timeoutMs: ${timeoutMs} is no time; give milliseconds or Infinity`);
  return Math.ceil(timeoutMs);
}

function checkedBytes(maxBytes: number = DEFAULT_MAX_BYTES): number {
  if (!(maxBytes >= 0)) throw config(`request.output.maxBytes: ${maxBytes} is no byte count`);
  return Math.min(Math.floor(maxBytes), UNLIMITED_BYTES);
}

function config(message: string): SandboxError {
  return new SandboxError('CONFIG', 'request', message);
}
