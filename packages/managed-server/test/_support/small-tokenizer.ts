import type { Tokenizer } from '@hermes/protocol';
import { createTokenizer } from '@hermes/tokenizer';
import { CHATML } from './templates.ts';

const SPECIAL = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|observation|>',
];
const MARKERS = ['<tools>', '<tool_call>', '</tool_call>', '<think>', '</think>'];
/** Pairs that are one token: text can be cut into tokens in more than one way. */
const MERGES = [
  'h e',
  'l l',
  'he ll',
  'hell o',
  '\u0120 t',
  'i n',
  'n g',
  'i ng',
  'e r',
  'o n',
  't h',
  'th e',
  'a t',
  '" :',
  ': \u0120',
  '{ "',
];

const SPECIAL_NAMES =
  /<[|｜][^<>\s{}'"]+?[|｜]>|<\/?s>|<(start|end)_of_(turn|sentence)>|<\/assistant>|<\|?turn\|?>/g;

/** A byte-level tokenizer of about 290 tokens with a chat template of ours. */
export function smallTokenizer(
  template: string = CHATML,
  options: Readonly<{
    endTokens?: readonly string[];
    /** A template whose names of special tokens become special tokens. */
    specialIn?: string;
  }> = {},
): Tokenizer {
  const special = [...new Set([...SPECIAL, ...(options.specialIn?.match(SPECIAL_NAMES) ?? [])])];
  const added = [...special, ...MARKERS].map((content, id) => ({
    id,
    content,
    special: special.includes(content),
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  const names = [
    ...added.map(({ content }) => content),
    ...byteCharacters(),
    ...MERGES.map((pair) => pair.replace(' ', '')),
  ];
  const vocabulary = Object.fromEntries(names.map((name, id) => [name, id]));
  const byteLevel = {
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: false,
    use_regex: true,
  };
  const { endTokens = ['<|im_end|>'] } = options;
  return createTokenizer({
    tokenizerJson: JSON.stringify({
      version: '1.0',
      added_tokens: added,
      normalizer: null,
      pre_tokenizer: byteLevel,
      post_processor: null,
      decoder: { type: 'ByteLevel' },
      model: {
        type: 'BPE',
        vocab: vocabulary,
        merges: MERGES,
        fuse_unk: false,
        byte_fallback: false,
      },
    }),
    configJson: JSON.stringify({ eos_token: endTokens[0] }),
    generationConfigJson: JSON.stringify({
      eos_token_id: endTokens.map((token) => vocabulary[token]),
    }),
    chatTemplate: template,
  });
}

/** The printable character that stands for each byte, as in every byte-level vocabulary. */
function byteCharacters(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    if (isPrintable(byte)) return String.fromCodePoint(byte);
    moved += 1;
    return String.fromCodePoint(255 + moved);
  });
}
