import { TokenizerError } from '../../tokenizer-error.ts';
import { CodePointSet } from '../../unicode/code-point-set.ts';
import { MORE_PUNCTUATION, NO_PUNCTUATION } from '../../unicode/older-tables.ts';
import { toByteCharacters } from '../byte-characters.ts';
import {
  type ComponentContext,
  type ComponentJson,
  components,
  flag,
  integer,
  refusal,
  text,
  typeOf,
} from '../component.ts';
import { readPattern } from '../pattern.ts';
import { type Pieces, type SplitBehavior, splitAt, splitPieces } from '../pieces.ts';
import { createByteLevel } from './byte-level.ts';
import { createMetaspace } from './metaspace.ts';

/** Splits a text into the pieces that the model sees. `atStart`: the first piece begins the whole text. */
export type PreTokenizer = (pieces: Pieces, atStart: boolean) => Pieces;

/** The pre-tokenizer of a tokenizer.json, exact or refused by name. */
export function createPreTokenizer(json: ComponentJson, context: ComponentContext): PreTokenizer {
  const create = PRE_TOKENIZERS[typeOf(json, 'pre-tokenizer')];
  if (create === undefined) throw refusal('pre-tokenizer', json);
  return create(json, context);
}

type Create = (json: ComponentJson, context: ComponentContext) => PreTokenizer;

const PRE_TOKENIZERS: Readonly<Record<string, Create>> = {
  BertPreTokenizer: createBert,
  ByteLevel: createByteLevel,
  CharDelimiterSplit: (json) =>
    byPattern(new RegExp(`[${escapedCharacter(text(json, 'delimiter'))}]`, 'gu'), 'Removed'),
  Digits: (json, { sets }) =>
    byPattern(
      new RegExp(sets.get('N').toClass(), 'gu'),
      flag(json, 'individual_digits', false) ? 'Isolated' : 'Contiguous',
    ),
  FixedLength: (json) =>
    byPattern(new RegExp(`[\\s\\S]{1,${integer(json, 'length')}}`, 'gu'), 'Isolated'),
  Metaspace: createMetaspace,
  Punctuation: (json, context) =>
    byPattern(punctuation(context), behaviorOf(json.behavior ?? 'Isolated')),
  Sequence: createSequence,
  Split: createSplit,
  Whitespace: createWhitespace,
  WhitespaceSplit: () => byPattern(/\p{White_Space}/gu, 'Removed'),
};

function byPattern(pattern: RegExp, behavior: SplitBehavior, invert = false): PreTokenizer {
  return (pieces) => splitPieces(pieces, (piece) => splitAt(piece, pattern, behavior, invert));
}

function createSequence(json: ComponentJson, context: ComponentContext): PreTokenizer {
  const steps = components(json.pretokenizers, 'pre-tokenizer').map((one) =>
    createPreTokenizer(one, context),
  );
  return (pieces, atStart) =>
    steps.reduce((current, step) => step(asCharacters(current), atStart), pieces);
}

/** What stands behind ByteLevel sees bytes as characters; where these were in the text is not followed. */
function asCharacters(pieces: Pieces): Pieces {
  if (!pieces.areBytes) return pieces;
  return {
    texts: pieces.texts.map(toByteCharacters),
    starts: pieces.starts.map(() => Number.NaN),
    areBytes: false,
  };
}

function createSplit(json: ComponentJson, context: ComponentContext): PreTokenizer {
  const pattern = readPattern(json.pattern, context);
  return byPattern(pattern, behaviorOf(json.behavior), flag(json, 'invert', false));
}

function behaviorOf(value: unknown): SplitBehavior {
  for (const behavior of BEHAVIORS) if (value === behavior) return behavior;
  throw new TokenizerError('FORMAT', `The split behavior ${JSON.stringify(value)} is unknown`);
}

const BEHAVIORS: readonly SplitBehavior[] = [
  'Removed',
  'Isolated',
  'MergedWithPrevious',
  'MergedWithNext',
  'Contiguous',
];

/** Words, and runs of what is neither word nor space. */
function createWhitespace(_json: ComponentJson, { sets }: ComponentContext): PreTokenizer {
  const word = ['Alphabetic', 'M', 'Nd', 'Pc', 'Join_Control']
    .map((name) => sets.get(name))
    .reduce((all, set) => all.union(set));
  const rest = word.union(sets.get('White_Space')).complement();
  return byPattern(new RegExp(`${word.toClass()}+|${rest.toClass()}+`, 'gu'), 'Removed', true);
}

function createBert(_json: ComponentJson, context: ComponentContext): PreTokenizer {
  const words = byPattern(/\p{White_Space}/gu, 'Removed');
  const marks = byPattern(punctuation(context), 'Isolated');
  return (pieces, atStart) => marks(words(pieces, atStart), atStart);
}

function punctuation({ sets }: ComponentContext): RegExp {
  const set = sets
    .get('P')
    .minus(CodePointSet.fromHex(NO_PUNCTUATION))
    .union(CodePointSet.fromHex(`21-2f 3a-40 5b-60 7b-7e ${MORE_PUNCTUATION}`));
  return new RegExp(set.toClass(), 'gu');
}

function escapedCharacter(character: string): string {
  return CodePointSet.ofText(character).toClass().slice(1, -1);
}
