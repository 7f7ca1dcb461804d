// a tokenizer from files
export { createTokenizer, type TokenizerOptions } from './create-tokenizer.ts';
export { type LoadOptions, loadTokenizer, type TokenizerSource } from './load-tokenizer.ts';
// what a chat template keeps of a prefix
export { type PrefixBreak, type PrefixProof, provePrefix } from './prove-prefix.ts';
export { tokenizerSettings } from './settings.ts';
// errors
export { TokenizerError, type TokenizerErrorCode } from './tokenizer-error.ts';
export type { TokenizerFiles } from './tokenizer-files.ts';
