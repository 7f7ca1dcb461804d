export { TokenizerError, type TokenizerErrorCode } from './tokenizer-error.ts';
export type { TokenizerFiles } from './tokenizer-files.ts';
