import { SandboxError } from '@hermes/sandbox';

/** What ssh2 puts on its errors. */
type SshFailure = Error & {
  readonly level?: string;
  readonly code?: string | number;
  readonly reason?: number;
};

/** Of a failed opening of a channel: the server forbids it, or cannot now. */
export const CHANNEL_REASON = { prohibited: 1, connectFailed: 2 } as const;

/** The reason of a refused channel; null when it failed for something else. */
export function channelReason(cause: unknown): number | null {
  const { reason } = cause as SshFailure;
  return typeof reason === 'number' ? reason : null;
}

/** Whether the server itself refused the log-in, so that trying again is in vain. */
export function isLogInRefusal(cause: unknown): boolean {
  return (cause as SshFailure).level === 'client-authentication';
}

/** Whether the connection ended before the server had said who it is. */
export function wasDropped(cause: unknown): boolean {
  const inner = SandboxError.isInstance(cause) ? cause.cause : cause;
  const { code, message } = (inner ?? {}) as Partial<SshFailure>;
  return code === 'ECONNRESET' || /before handshake/.test(message ?? '');
}

/** A SandboxError for what the network or the server did. */
export function sshError(cause: unknown, attempted: string): SandboxError {
  if (SandboxError.isInstance(cause)) return cause as SandboxError;
  const message = cause instanceof Error ? cause.message : String(cause);
  const options = { cause, retryable: true };
  return new SandboxError('TRANSPORT', 'provider', `${attempted}: ${message}`, options);
}

export function cancelled(attempted: string, cause: unknown): SandboxError {
  return new SandboxError('CANCELLED', 'request', `${attempted}: cancelled`, { cause });
}
