import type { Capabilities, ExecRequest } from '../types.ts';
import { SandboxError } from '../types.ts';
import { unsupported } from './errors.ts';

/** Refuses what this sandbox cannot do, and what makes no sense, before anything is started. */
export function checkRequest(
  request: ExecRequest,
  capabilities: Capabilities,
  how: 'exec' | 'spawn' | 'session',
): void {
  if (request.tty !== undefined && !capabilities.tty)
    throw unsupported('run with a terminal: this sandbox has none');
  if (request.user !== undefined && !capabilities.users)
    throw unsupported(`run as ${request.user}: this sandbox has one user`);
  if (request.stdin !== undefined && !capabilities.stdin)
    throw unsupported('run with input: this sandbox passes none on');
  if (request.stdin === 'open' && how !== 'spawn')
    throw new SandboxError('CONFIG', 'request', "request.stdin: 'open' is for spawn");
  if (how !== 'session') return;
  if (request.tty !== undefined || request.user !== undefined)
    throw unsupported("a command of a session: terminal and user are the whole session's");
}
