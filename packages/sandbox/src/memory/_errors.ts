import { SandboxError } from '../types.ts';

export function unsupported(what: string): SandboxError {
  return new SandboxError(
    'UNSUPPORTED',
    'request',
    `The in-memory sandbox has no ${what}: it has files and scripted commands. Use a provider with real processes.`,
  );
}

export function gone(id: string, why: string): SandboxError {
  return new SandboxError(
    'SANDBOX_GONE',
    'sandbox',
    `Sandbox ${id} is gone (${why}): create another one.`,
  );
}

export function cancelled(what: string): SandboxError {
  return new SandboxError('CANCELLED', 'request', `${what} was cancelled by its signal.`);
}
