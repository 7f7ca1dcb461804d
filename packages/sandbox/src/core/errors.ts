import { HermesError } from '@hermes/protocol';
import { SandboxError } from '../types.ts';

/** What went wrong, as text, whatever was thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether it is a SandboxError, also one of another copy of this package. */
export function isSandboxError(cause: unknown): cause is SandboxError {
  return HermesError.isInstance(cause) && cause.boundary === 'sandbox';
}

/** The error itself when it is a SandboxError, else one that says what was attempted. */
export function toSandboxError(cause: unknown, attempted: string): SandboxError {
  if (isSandboxError(cause)) return cause;
  const message = `${attempted}: ${messageOf(cause)}`;
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', message, { cause });
}

export function transportError(message: string, cause?: unknown): SandboxError {
  return new SandboxError('TRANSPORT', 'sandbox', message, { retryable: true, cause });
}

export function goneError(message: string, cause?: unknown): SandboxError {
  return new SandboxError('SANDBOX_GONE', 'sandbox', message, { cause });
}

export function unsupported(message: string): SandboxError {
  return new SandboxError('UNSUPPORTED', 'request', message);
}

export function cancelledError(attempted: string, cause?: unknown): SandboxError {
  return new SandboxError('CANCELLED', 'request', `${attempted}: cancelled`, { cause });
}
