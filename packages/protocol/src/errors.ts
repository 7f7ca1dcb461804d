import type { JsonObject } from './json.ts';

/** The part of the system an error belongs to. */
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
  /** True when the same attempt may succeed later without any change. */
  retryable: boolean;
  details?: JsonObject;
}>;

/** What a `HermesError` may carry beside its message. */
export type HermesErrorOptions = Readonly<{
  /** Default false. */
  retryable?: boolean;
  details?: JsonObject;
  cause?: unknown;
}>;

const MARK: unique symbol = Symbol.for('hermes.error');

/**
 * The error that every hermes package throws. The message says what was attempted, on what, and
 * what to do. Test with `HermesError.isInstance(error)`, never with `instanceof`: two installed
 * copies of this package have two classes.
 */
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

  /** The same error as data. */
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

/** What can go wrong with a call to a model or a token engine. */
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

/** The only error that a `ChatModel` or a `TokenEngine` throws. */
export class ModelError extends HermesError<ModelErrorCode> {
  constructor(code: ModelErrorCode, message: string, options?: HermesErrorOptions) {
    super('model', code, message, options);
    this.name = 'ModelError';
  }
}
