import type {
  Errored,
  ErroredCauses,
  ErroredReason,
  ErrorInfo,
  ModelErrorCode,
} from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { SandboxErrorCode } from '@hermes/sandbox';

/** Carries an outcome that is already classified through the steps of a try. */
export class RolloutFailure extends Error {
  readonly errored: Errored;

  constructor(errored: Errored, cause?: unknown) {
    super(errored.error.message, cause === undefined ? undefined : { cause });
    this.name = 'RolloutFailure';
    this.errored = errored;
  }
}

/** An outcome with the cause as its error code. */
export function erroredAs<R extends ErroredReason>(
  reason: R,
  cause: ErroredCauses[R],
  message: string,
  more: Pick<ErrorInfo, 'details'> & { readonly retryable?: boolean } = {},
): Errored {
  const error: ErrorInfo = {
    boundary: boundaryOf(reason),
    code: cause.toUpperCase(),
    message,
    retryable: more.retryable ?? false,
    ...(more.details === undefined ? {} : { details: more.details }),
  };
  return { reason, cause, error } as Errored;
}

/** Who is to blame for a thrown value. Errors of sandbox and model keep their own reason; the rest is `fallback`. */
export function classify(error: unknown, fallback: (error: ErrorInfo) => Errored): Errored {
  if (error instanceof RolloutFailure) return error.errored;
  const info = infoOf(error);
  return classifyInfo(info) ?? fallback(info);
}

/** The outcome of an error that names its boundary, or null when it does not decide it. */
export function classifyInfo(error: ErrorInfo): Errored | null {
  if (error.boundary === 'model') return modelErrored(error);
  if (error.boundary === 'sandbox') return sandboxErrored(error);
  if (error.code === 'SANDBOX_NOT_READY')
    return { reason: 'sandbox', cause: 'sandbox_unsupported', error };
  if (error.boundary === 'environment' || error.boundary === 'verifier') return named(error);
  return null;
}

/** An error as data, whatever was thrown. */
export function infoOf(error: unknown): ErrorInfo {
  if (HermesError.isInstance(error)) return error.toInfo();
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { boundary: 'environment', code: 'THROWN', message, retryable: false };
}

const MODEL_CAUSES: Partial<Record<ModelErrorCode, ErroredCauses['model']>> = {
  AUTH: 'model_auth',
  RATE_LIMIT: 'model_rate_limit',
  CONNECTION: 'model_unreachable',
  TIMEOUT: 'model_timeout',
  SERVER: 'model_server',
  STREAM_CUT: 'model_stream_cut',
  BAD_RESPONSE: 'model_bad_response',
  EMPTY_RESPONSE: 'model_bad_response',
  TOKENS_INVALID: 'tokens_invalid',
  TOKENS_MISSING: 'tokens_missing',
  CONFIG: 'model_bad_request',
  BAD_REQUEST: 'model_bad_request',
  NOT_FOUND: 'model_bad_request',
  CONTEXT_OVERFLOW: 'model_bad_request',
  UNSUPPORTED: 'model_bad_request',
};

function modelErrored(error: ErrorInfo): Errored {
  const cause = MODEL_CAUSES[error.code as ModelErrorCode] ?? 'model_server';
  return { reason: 'model', cause, error };
}

/** EXEC_NOT_STARTED and SESSION_BUSY are absent: they blame the caller of the sandbox. */
const SANDBOX_CAUSES: Partial<Record<SandboxErrorCode, ErroredCauses['sandbox']>> = {
  CONFIG: 'sandbox_unsupported',
  UNSUPPORTED: 'sandbox_unsupported',
  AUTH: 'sandbox_auth',
  QUOTA: 'sandbox_quota',
  CAPACITY: 'sandbox_capacity',
  IMAGE_NOT_FOUND: 'image_pull',
  IMAGE_PULL_FAILED: 'image_pull',
  IMAGE_BUILD_FAILED: 'image_build',
  NETWORK_SETUP: 'env_network',
  PROVISION_TIMEOUT: 'env_start_timeout',
  SANDBOX_GONE: 'sandbox_lost',
  SANDBOX_UNHEALTHY: 'sandbox_lost',
  TRANSPORT: 'sandbox_lost',
  PROTOCOL: 'sandbox_lost',
};

function sandboxErrored(error: ErrorInfo): Errored | null {
  const cause = SANDBOX_CAUSES[error.code as SandboxErrorCode];
  return cause === undefined ? null : { reason: 'sandbox', cause, error };
}

const NAMED_CAUSES: Readonly<Record<string, 'environment' | 'verifier'>> = {
  item_invalid: 'environment',
  prompt_failed: 'environment',
  setup_failed: 'environment',
  command_missing: 'environment',
  path_unavailable: 'environment',
  solution_missing: 'environment',
  tests_upload: 'verifier',
  verifier_setup: 'verifier',
  verifier_crashed: 'verifier',
  verifier_timeout: 'verifier',
  verifier_download: 'verifier',
  reward_missing: 'verifier',
  reward_empty: 'verifier',
  reward_unparsable: 'verifier',
};

/** An author's error whose code is a cause in upper case. */
function named(error: ErrorInfo): Errored | null {
  const cause = error.code.toLowerCase();
  const reason = Object.hasOwn(NAMED_CAUSES, cause) ? NAMED_CAUSES[cause] : undefined;
  return reason === undefined ? null : ({ reason, cause, error } as Errored);
}

/** The reason of a verdict's cause. */
export function verdictErrored(cause: string, error: ErrorInfo): Errored {
  const reason = cause === 'internal' ? 'environment' : (NAMED_CAUSES[cause] ?? 'verifier');
  return { reason, cause, error } as Errored;
}

function boundaryOf(reason: ErroredReason): ErrorInfo['boundary'] {
  return reason === 'timeout' || reason === 'cancelled' ? 'environment' : reason;
}
