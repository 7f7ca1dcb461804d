import { toByteCharacters } from '../byte-characters.ts';
import {
  asComponent,
  type ComponentContext,
  type ComponentJson,
  components,
  flag,
  refusal,
  text,
  typeOf,
} from '../component.ts';
import { findMatches, readPattern } from '../pattern.ts';
import { createBertNormalizer } from './bert-normalizer.ts';
import { lowercase } from './lowercase.ts';
import { createPrecompiled } from './precompiled.ts';
import { stripAccents } from './strip-accents.ts';
import { unicodeNormalizer } from './unicode-normalizer.ts';

/** Changes a text before it is split. */
export type Normalizer = (text: string) => string;

/** The normalizer of a tokenizer.json, exact or refused by name. */
export function createNormalizer(json: ComponentJson, context: ComponentContext): Normalizer {
  const create = NORMALIZERS[typeOf(json, 'normalizer')];
  if (create === undefined) throw refusal('normalizer', json);
  return create(json, context);
}

type Create = (json: ComponentJson, context: ComponentContext) => Normalizer;

const NORMALIZERS: Readonly<Record<string, Create>> = {
  NFC: () => unicodeNormalizer('NFC'),
  NFD: () => unicodeNormalizer('NFD'),
  NFKC: () => unicodeNormalizer('NFKC'),
  NFKD: () => unicodeNormalizer('NFKD'),
  Lowercase: () => lowercase,
  StripAccents: (_json, context) => stripAccents(context.sets),
  BertNormalizer: createBertNormalizer,
  ByteLevel: () => toByteCharacters,
  Precompiled: createPrecompiled,
  Prepend: createPrepend,
  Replace: createReplace,
  Sequence: createSequence,
  Strip: createStrip,
};

function createSequence(json: ComponentJson, context: ComponentContext): Normalizer {
  const steps = components(json.normalizers, 'normalizer').map((one) =>
    createNormalizer(asComponent(one, 'normalizer'), context),
  );
  return (input) => steps.reduce((value, step) => step(value), input);
}

/** Nothing is put before nothing. */
function createPrepend(json: ComponentJson): Normalizer {
  const prefix = text(json, 'prepend');
  return (input) => (input === '' ? '' : prefix + input);
}

function createReplace(json: ComponentJson, context: ComponentContext): Normalizer {
  const pattern = readPattern(json.pattern, context);
  const content = text(json, 'content');
  return (input) =>
    findMatches(input, pattern)
      .map(({ start, end, isMatch }) => (isMatch ? content : input.slice(start, end)))
      .join('');
}

function createStrip(json: ComponentJson): Normalizer {
  const left = flag(json, 'strip_left', true);
  const right = flag(json, 'strip_right', true);
  return (input) => {
    const start = left ? input.replace(/^\p{White_Space}+/u, '') : input;
    return right ? start.replace(/\p{White_Space}+$/u, '') : start;
  };
}
