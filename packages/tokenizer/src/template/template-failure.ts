import { TokenizerError } from '../tokenizer-error.ts';

/** The error that the reference would raise too: the template cannot be rendered with this input. */
export function failure(message: string): TokenizerError {
  return new TokenizerError('TEMPLATE', `The chat template fails: ${message}`);
}

/** The refusal of a construct that templates could use but this evaluator does not know. */
export function refused(construct: string): TokenizerError {
  return new TokenizerError(
    'UNSUPPORTED',
    `The chat template uses ${construct}, which is not supported`,
  );
}
