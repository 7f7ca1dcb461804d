import type { JsonObject } from './json.ts';

export type Boundary =
  | 'config'
  | 'model'
  | 'sandbox'
  | 'tool'
  | 'verifier'
  | 'environment'
  | 'trainer'
  | 'data';
/** An error as data, for events and records. Secrets are already redacted. */
export type ErrorInfo = Readonly<{
  boundary: Boundary;
  code: string;
  message: string;
  retryable: boolean;
  details?: JsonObject;
}>;
export type HermesErrorOptions = Readonly<{
  retryable?: boolean;
  details?: JsonObject;
  cause?: unknown;
}>; // retryable: default false
const MARK: unique symbol = Symbol.for('hermes.error');
/** message = what was attempted, on what, and what to do. Test with `HermesError.isInstance(e)`, never instanceof (duplicate installs). */
export class HermesError<Code extends string = string> extends Error {
  readonly boundary: Boundary;
  readonly code: Code;
  readonly retryable: boolean;
  readonly details: JsonObject | undefined;
  constructor(boundary: Boundary, code: Code, message: string, options: HermesErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, MARK, { value: true });
    this.name = 'HermesError';
    this.boundary = boundary;
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details;
  }
  static isInstance(value: unknown): value is HermesError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
  toInfo(): ErrorInfo {
    const info = {
      boundary: this.boundary,
      code: this.code,
      message: this.message,
      retryable: this.retryable,
    };
    return this.details === undefined ? info : { ...info, details: this.details };
  }
}
export type ModelErrorCode =
  | 'CONFIG'
  | 'AUTH'
  | 'RATE_LIMIT'
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'CONTEXT_OVERFLOW'
  | 'SERVER'
  | 'CONNECTION'
  | 'TIMEOUT'
  | 'STREAM_CUT'
  | 'BAD_RESPONSE'
  | 'EMPTY_RESPONSE'
  | 'TOKENS_INVALID'
  | 'TOKENS_MISSING'
  | 'UNSUPPORTED'
  | 'CANCELLED';
export class ModelError extends HermesError<ModelErrorCode> {
  constructor(code: ModelErrorCode, message: string, options?: HermesErrorOptions) {
    super('model', code, message, options);
    this.name = 'ModelError';
  }
}
