/** How a text is cut into words before the byte pair encoding, in the terms of `tokenizer.json`. */
export type PreTokenizerStyle = Readonly<{
  preTokenizer: object;
  /** A word that is a token is taken as it is. */
  ignoresMerges: boolean;
}>;

const BYTES = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
const GPT2_WORDS = { ...BYTES, use_regex: true };
const CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const LATER_WORDS = '[^\\r\\n\\p{L}\\p{N}]?\\p{L}+';
const REST = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+';

/** By the names that llama.cpp writes into its files. */
const STYLES: ReadonlyMap<string, PreTokenizerStyle> = new Map([
  ['gpt-2', { preTokenizer: GPT2_WORDS, ignoresMerges: false }],
  ['qwen2', words(`${CONTRACTIONS}|${LATER_WORDS}|\\p{N}|${REST}`, false)],
  ['llama-bpe', words(`${CONTRACTIONS}|${LATER_WORDS}|\\p{N}{1,3}|${REST}`, true)],
  ['smollm', singleDigits()],
]);

/** null = not known. */
export function preTokenizerOf(name: string): PreTokenizerStyle | null {
  return STYLES.get(name) ?? null;
}

function words(pattern: string, ignoresMerges: boolean): PreTokenizerStyle {
  const split = {
    type: 'Split',
    pattern: { Regex: pattern },
    behavior: 'Isolated',
    invert: false,
  };
  return { preTokenizer: { type: 'Sequence', pretokenizers: [split, BYTES] }, ignoresMerges };
}

function singleDigits(): PreTokenizerStyle {
  const digits = { type: 'Digits', individual_digits: true };
  return {
    preTokenizer: { type: 'Sequence', pretokenizers: [digits, GPT2_WORDS] },
    ignoresMerges: false,
  };
}
