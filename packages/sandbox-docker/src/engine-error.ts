import { SandboxError, type SandboxErrorCode, type SandboxErrorScope } from '@hermes/sandbox';

const UNREACHABLE = new Set([
  ...['ENOENT', 'ECONNREFUSED', 'EACCES', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...['ETIMEDOUT', 'ENOTSOCK', 'EAI_AGAIN'],
]);

/** What the API says of a failed call; status null: it did not answer. */
export type EngineFailure = Readonly<{
  status: number | null;
  message: string;
  code: string | null;
}>;

const ASK_FOR_ANOTHER =
  "; ask for another limit (container_memory, container_cpu, or the task's own resources)";

/** What the library puts before the daemon's words. */
const LIBRARY_WORDS = /^\(HTTP code \d+\) [^-]*- /;

/** Reads a failure of the client library. */
export function failureOf(cause: unknown): EngineFailure {
  const error = (cause ?? {}) as { statusCode?: number; json?: unknown; code?: string };
  const said = (error.json as { message?: unknown } | null)?.message;
  const text = cause instanceof Error ? cause.message : String(cause);
  return {
    status: error.statusCode ?? null,
    message: typeof said === 'string' ? said : text.replace(LIBRARY_WORDS, '').trim(),
    code: error.code ?? null,
  };
}

/** The error for a failed call of the API; one that is a SandboxError already stays. */
export function engineError(cause: unknown, attempted: string): SandboxError {
  if (SandboxError.isInstance(cause)) return cause as SandboxError;
  const failure = failureOf(cause);
  const make = (
    code: SandboxErrorCode,
    scope: SandboxErrorScope,
    retryable: boolean,
    advice = '',
  ) =>
    new SandboxError(code, scope, `${attempted}: ${failure.message}${advice}`, {
      cause,
      retryable,
    });
  if (failure.code !== null && UNREACHABLE.has(failure.code))
    return make('TRANSPORT', 'provider', true);
  if (failure.code === 'ABORT_ERR') return stopped(cause, attempted);
  if (/address pool|create endpoint|network .* not found/i.test(failure.message))
    return make('NETWORK_SETUP', 'request', true);
  if (/storage-opt|could not select device driver/i.test(failure.message))
    return make('UNSUPPORTED', 'request', false);
  if (/memory limit|range of cpus/i.test(failure.message))
    return make('UNSUPPORTED', 'request', false, ASK_FOR_ANOTHER);
  if (/no space left on device/i.test(failure.message)) return make('CAPACITY', 'provider', true);
  if (/no such image|manifest.* (unknown|not found)/i.test(failure.message))
    return make('IMAGE_NOT_FOUND', 'request', false);
  if (failure.status === 400) return make('CONFIG', 'request', false);
  if (failure.status === 404) return make('SANDBOX_GONE', 'sandbox', false);
  return make('SANDBOX_UNHEALTHY', 'sandbox', false);
}

/** Why it was stopped is the reason of the signal: the end of its sandbox, a limit of ours, or the caller's own will. */
function stopped(cause: unknown, attempted: string): SandboxError {
  const { cause: reason } = cause as { cause?: unknown };
  if (SandboxError.isInstance(reason)) return reason as SandboxError;
  if ((reason as Error | undefined)?.name !== 'TimeoutError')
    return new SandboxError('CANCELLED', 'request', `${attempted}: cancelled`, { cause });
  const message = `${attempted}: the daemon did not answer in time`;
  return new SandboxError('TRANSPORT', 'provider', message, { cause, retryable: true });
}

/** Whether a call failed because what it names is not there. */
export function isMissing(cause: unknown): boolean {
  return failureOf(cause).status === 404;
}
