import { HermesError, type HermesErrorOptions } from '@hermes/protocol';

/** What can go wrong with a tokenizer or a chat template. */
export type TokenizerErrorCode =
  | 'SOURCE'
  | 'NOT_FOUND'
  | 'FORMAT'
  | 'UNSUPPORTED'
  | 'NO_TEMPLATE'
  | 'TEMPLATE'
  | 'CANCELLED';

/** The only error of this package: what was attempted, on what, and what to do. */
export class TokenizerError extends HermesError<TokenizerErrorCode> {
  constructor(code: TokenizerErrorCode, message: string, options?: HermesErrorOptions) {
    super('model', code, message, options);
    this.name = 'TokenizerError';
  }
}

/** The refusal of something that could only be approximated. */
export function unsupported(what: string): TokenizerError {
  return new TokenizerError('UNSUPPORTED', `${what} is not supported`);
}
