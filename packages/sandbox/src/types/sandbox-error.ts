import { HermesError, type HermesErrorOptions } from '@hermes/protocol';

/** What can go wrong with a sandbox that a caller cannot treat as a result. The README's table says what each means. */
export type SandboxErrorCode =
  | 'CONFIG'
  | 'AUTH'
  | 'QUOTA'
  | 'CAPACITY'
  | 'IMAGE_NOT_FOUND'
  | 'IMAGE_BUILD_FAILED'
  | 'IMAGE_PULL_FAILED'
  | 'NETWORK_SETUP'
  | 'PROVISION_TIMEOUT'
  | 'SANDBOX_GONE'
  | 'SANDBOX_UNHEALTHY'
  | 'EXEC_NOT_STARTED'
  | 'SESSION_BUSY'
  | 'TRANSPORT'
  | 'UNSUPPORTED'
  | 'CANCELLED'
  | 'PROTOCOL';

/** What is lost: this request, this sandbox (its rollout ends), or the whole provider. */
export type SandboxErrorScope = 'request' | 'sandbox' | 'provider';

/** Every failure of a provider or a sandbox. A command's exit code, time-out or OOM is a result, never this. */
export class SandboxError extends HermesError<SandboxErrorCode> {
  readonly scope: SandboxErrorScope;

  constructor(
    code: SandboxErrorCode,
    scope: SandboxErrorScope,
    message: string,
    options?: HermesErrorOptions,
  ) {
    super('sandbox', code, message, options);
    this.name = 'SandboxError';
    this.scope = scope;
  }
}
