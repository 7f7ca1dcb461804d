import type { AutomatonScript } from './script.ts';
import { type Merges, trainMerges } from './train-merges.ts';

const SPECIAL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'] as const;
const TAGS = [
  '<tools>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
  '<think>',
  '</think>',
] as const;
const CORPUS = [
  'You are a helpful assistant.',
  'system user assistant tool',
  'What is the weather in Paris?',
  'The answer is 42.',
  'function parameters properties type object string required description',
];
/** The matrix of the vocabulary has rows for a multiple of this, as those of real models. */
const ROWS_MULTIPLE = 64;

/** The tokens of an automaton: learned ones, then tags and the whole calls and answers of its script. */
export type Vocabulary = Readonly<{
  learned: Merges;
  special: readonly string[];
  /** Added, and not special: shown when special tokens are skipped. */
  added: readonly string[];
  /** In order of their ids. */
  tokens: readonly string[];
  /** At least one a token; those above have no token. */
  rows: number;
  idOf(token: string): number;
}>;

/** The vocabulary of a script; each text of it is one token. */
export function makeVocabulary(script: AutomatonScript): Vocabulary {
  const learned = trainMerges(CORPUS, SPECIAL);
  const added = [...TAGS, ...[...script.calls, ...script.answers].map(({ text }) => text)];
  const tokens = [...learned.tokens, ...added];
  const ids = new Map(tokens.map((token, id) => [token, id]));
  if (ids.size < tokens.length)
    throw new Error('an automaton needs different texts for its calls and answers');
  return {
    learned,
    special: SPECIAL,
    added,
    tokens,
    rows: Math.ceil(Math.max(script.rows ?? 0, tokens.length) / ROWS_MULTIPLE) * ROWS_MULTIPLE,
    idOf(token) {
      const id = ids.get(token);
      if (id === undefined) throw new Error(`no token of this automaton: ${token}`);
      return id;
    },
  };
}
