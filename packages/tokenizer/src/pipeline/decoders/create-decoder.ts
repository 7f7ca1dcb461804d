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
import { findMatches, readPattern } from '../pattern.ts';
import { prependScheme } from '../pre-tokenizers/metaspace.ts';
import { decodeFallbackBytes } from './byte-fallback.ts';
import { bytesOfToken } from './byte-level.ts';
import { cleanUp } from './clean-up.ts';

/** Turns tokens into the parts of a text. */
export type Decoder = (tokens: readonly string[]) => string[];

/** The decoder of a tokenizer.json, exact or refused by name. */
export function createDecoder(json: ComponentJson, context: ComponentContext): Decoder {
  const create = DECODERS[typeOf(json, 'decoder')];
  if (create === undefined) throw refusal('decoder', json);
  return create(json, context);
}

type Create = (json: ComponentJson, context: ComponentContext) => Decoder;

const DECODERS: Readonly<Record<string, Create>> = {
  BPEDecoder: createBpeDecoder,
  ByteFallback: () => decodeFallbackBytes,
  ByteLevel: () => decodeBytes,
  Fuse: () => (tokens) => [tokens.join('')],
  Metaspace: createMetaspaceDecoder,
  Replace: createReplaceDecoder,
  Sequence: createSequence,
  Strip: createStrip,
  WordPiece: createWordPieceDecoder,
};

function createSequence(json: ComponentJson, context: ComponentContext): Decoder {
  const steps = components(json.decoders, 'decoder').map((one) => createDecoder(one, context));
  return (tokens) => steps.reduce<string[]>((parts, step) => step(parts), [...tokens]);
}

function decodeBytes(tokens: readonly string[]): string[] {
  const bytes = tokens.flatMap((token) => bytesOfToken(token));
  return [new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))];
}

/** The mark of the first token is the one that was put before the text. */
function createMetaspaceDecoder(json: ComponentJson): Decoder {
  const mark = text(json, 'replacement');
  const isPrefixed = prependScheme(json) !== 'never';
  return (tokens) =>
    tokens.map((token, index) => token.replaceAll(mark, index === 0 && isPrefixed ? '' : ' '));
}

function createReplaceDecoder(json: ComponentJson, context: ComponentContext): Decoder {
  const pattern = readPattern(json.pattern, context);
  const content = text(json, 'content');
  return (tokens) =>
    tokens.map((token) =>
      findMatches(token, pattern)
        .map(({ start, end, isMatch }) => (isMatch ? content : token.slice(start, end)))
        .join(''),
    );
}

/** Takes up to `start` and `stop` of one character off the ends of each token. */
function createStrip(json: ComponentJson): Decoder {
  const content = text(json, 'content');
  const start = integer(json, 'start');
  const stop = integer(json, 'stop');
  return (tokens) =>
    tokens.map((token) => {
      const characters = Array.from(token);
      let from = 0;
      while (from < start && characters[from] === content) from += 1;
      let to = characters.length;
      while (to > from && characters.length - to < stop && characters[to - 1] === content) to -= 1;
      return characters.slice(from, to).join('');
    });
}

function createWordPieceDecoder(json: ComponentJson): Decoder {
  const prefix = text(json, 'prefix');
  const isCleaned = flag(json, 'cleanup', true);
  return (tokens) =>
    tokens.map((token, index) => {
      const continues = token.startsWith(prefix);
      const spaced = index === 0 ? token : continues ? token.slice(prefix.length) : ` ${token}`;
      return isCleaned ? cleanUp(spaced, 'decoder') : spaced;
    });
}

/** A suffix says that a word ends; behind the last one no space follows. */
function createBpeDecoder(json: ComponentJson): Decoder {
  const suffix = text(json, 'suffix');
  return (tokens) =>
    tokens.map((token, index) =>
      suffix === '' ? token : token.replaceAll(suffix, index === tokens.length - 1 ? '' : ' '),
    );
}
