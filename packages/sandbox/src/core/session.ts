import type { Clock } from '@hermes/protocol';
import type {
  Capabilities,
  ExecRequest,
  ExecResult,
  SessionOptions,
  ShellSession,
} from '../types.ts';
import { SandboxError } from '../types.ts';
import { checkRequest } from './check-request.ts';
import { within } from './deadline.ts';
import { homeOf } from './environment.ts';
import { unsupported } from './errors.ts';
import type { ExecEngine } from './exec-engine.ts';
import { type ExecDefaults, resolvePath } from './exec-request.ts';
import { FRAME } from './frames.ts';
import type { Link } from './link.ts';
import { ReplyCall } from './reply-call.ts';
import { parseErrorFrame } from './welcome.ts';

export type SessionParts = Readonly<{
  link: Link;
  engine: ExecEngine;
  defaults: ExecDefaults;
  capabilities: Capabilities;
  clock: Clock;
}>;

const OPEN_MS = 60_000;

/** Opens a shell that keeps its directory, variables and functions between commands. */
export async function openSession(
  parts: SessionParts,
  options: SessionOptions = {},
): Promise<ShellSession> {
  const { link, defaults } = parts;
  if (!link.has('sessions')) throw unsupported('open a session: this supervisor has none');
  await link.whenOpen();
  const ready = new ReplyCall(link, onReady);
  const name = options.user ?? defaults.user;
  const home = name === undefined ? {} : { HOME: homeOf(name) };
  link.control(FRAME.sessionOpen, ready.id, {
    ...(options.shell === undefined ? {} : { shell: options.shell }),
    ...(name === undefined ? {} : { user: name }),
    cwd: resolvePath(defaults.workdir, options.cwd ?? '.'),
    env: { ...defaults.env, ...home, ...options.env },
  });
  const opened = await within(parts.clock, OPEN_MS, ready.done);
  if (opened.late) throw notOpened();
  return createSession(parts, ready.id);
}

function notOpened(): SandboxError {
  const message = 'open a session: the supervisor did not open it within 60 s';
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message);
}

function onReady(type: number, payload: Buffer): boolean {
  if (type === FRAME.sessionReady) return true;
  if (type !== FRAME.error) return false;
  const { message } = parseErrorFrame(payload);
  throw new SandboxError('EXEC_NOT_STARTED', 'request', `open a session: ${message}`);
}

function createSession({ link, engine, capabilities }: SessionParts, id: number): ShellSession {
  let busy = false;
  let closed = false;
  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    checkRequest(request, capabilities, 'session');
    if (closed) throw new SandboxError('EXEC_NOT_STARTED', 'request', 'the session is closed');
    if (busy) throw sessionBusy();
    busy = true;
    try {
      return await engine.exec(request, id);
    } finally {
      busy = false;
    }
  };
  const close = async () => {
    if (closed) return;
    closed = true;
    link.control(FRAME.sessionClose, id);
  };
  return { id: `session_${id}`, exec, close, [Symbol.asyncDispose]: close };
}

function sessionBusy(): SandboxError {
  const message = 'a command still runs in this session; wait for it or use sandbox.exec';
  return new SandboxError('SESSION_BUSY', 'request', message, { retryable: true });
}
