import { TokenizerError } from '../tokenizer-error.ts';
import { PropertySets } from '../unicode/property-sets.ts';
import { type AddedToken, AddedTokenFinder } from './added-tokens.ts';
import { asComponent, type ComponentJson, isObject } from './component.ts';
import { createDecoder, type Decoder } from './decoders/create-decoder.ts';
import { createModel } from './models/create-model.ts';
import type { TokenModel } from './models/token-model.ts';
import { createNormalizer, type Normalizer } from './normalizers/create-normalizer.ts';
import type { Pieces } from './pieces.ts';
import { createPreTokenizer, type PreTokenizer } from './pre-tokenizers/create-pre-tokenizer.ts';

/** A part of the text behind the normalizer: an added token, or pieces for the model. */
type PreparedPart = Readonly<{
  /** Where it stands in the normalized text of its section. */
  start: number;
  end: number;
  token: AddedToken | null;
  pieces: Pieces;
}>;

/** A part of the raw text between added tokens, or one of these. */
export type Section = Readonly<{
  start: number;
  end: number;
  normalized: string;
  parts: readonly PreparedPart[];
}>;

const NO_PIECES: Pieces = { texts: [], starts: [], areBytes: false };

/** The steps of a tokenizer.json from a text to ids. */
export class Pipeline {
  readonly model: TokenModel;
  readonly decode: Decoder;
  private readonly normalize: Normalizer;
  private readonly preTokenize: PreTokenizer;
  private readonly rawFinder: AddedTokenFinder;
  private readonly normalizedFinder: AddedTokenFinder;

  constructor(json: ComponentJson, addedTokens: readonly AddedToken[], model: TokenModel) {
    const context = { sets: new PropertySets() };
    this.model = model;
    this.normalize = optional(
      json.normalizer,
      (one) => createNormalizer(one, context),
      (t) => t,
    );
    this.preTokenize = optional(
      json.pre_tokenizer,
      (one) => createPreTokenizer(one, context),
      (pieces) => pieces,
    );
    this.decode = optional(json.decoder, (one) => createDecoder(one, context), joinedBySpaces);
    const word = addedTokens.some((token) => token.singleWord) ? wordPattern(context.sets) : /(?!)/;
    this.rawFinder = new AddedTokenFinder(
      entriesOf(addedTokens, false, (text) => text),
      word,
    );
    this.normalizedFinder = new AddedTokenFinder(
      entriesOf(addedTokens, true, this.normalize),
      word,
    );
  }

  /** The text in sections, ready for the model. */
  *sections(text: string, skipsSpecial: boolean): Generator<Section> {
    for (const { start, end, token } of this.rawFinder.split(text, skipsSpecial)) {
      const raw = text.slice(start, end);
      if (token === null) yield this.prepared(raw, start, end, skipsSpecial);
      else {
        const parts = [{ start: 0, end: raw.length, token, pieces: NO_PIECES }];
        yield { start, end, normalized: raw, parts };
      }
    }
  }

  encode(text: string, skipsSpecial: boolean): number[] {
    const ids: number[] = [];
    for (const section of this.sections(text, skipsSpecial)) {
      for (const { token, pieces } of section.parts) {
        if (token !== null) ids.push(token.id);
        for (const piece of pieces.texts) this.model.encode(piece, pieces.areBytes, ids);
      }
    }
    return ids;
  }

  /** The normalized form of a text, as one section of it. */
  normalized(text: string): string {
    return this.normalize(text);
  }

  private prepared(raw: string, start: number, end: number, skipsSpecial: boolean): Section {
    const normalized = this.normalize(raw);
    const parts = this.normalizedFinder.split(normalized, skipsSpecial).map((segment) => ({
      ...segment,
      pieces:
        segment.token === null
          ? this.pieces(normalized, segment.start, segment.end, start === 0 && segment.start === 0)
          : NO_PIECES,
    }));
    return { start, end, normalized, parts };
  }

  private pieces(normalized: string, start: number, end: number, atStart: boolean): Pieces {
    const whole = { texts: [normalized.slice(start, end)], starts: [0], areBytes: false };
    return this.preTokenize(whole, atStart);
  }
}

/** The model of a tokenizer.json. */
export function readModel(json: ComponentJson): TokenModel {
  if (!isObject(json.model)) throw new TokenizerError('FORMAT', 'The tokenizer has no model');
  return createModel(json.model);
}

function optional<T>(value: unknown, create: (json: ComponentJson) => T, fallback: T): T {
  return value === null || value === undefined ? fallback : create(asComponent(value, 'component'));
}

function joinedBySpaces(tokens: readonly string[]): string[] {
  return [tokens.join(' ')];
}

function entriesOf(
  tokens: readonly AddedToken[],
  normalized: boolean,
  normalize: Normalizer,
): [string, AddedToken][] {
  const special = tokens.filter((token) => token.special);
  const others = tokens.filter((token) => !token.special);
  return [...special, ...others]
    .filter((token) => token.normalized === normalized)
    .map((token) => [normalize(token.content), token]);
}

function wordPattern(sets: PropertySets): RegExp {
  const word = ['Alphabetic', 'M', 'Nd', 'Pc', 'Join_Control']
    .map((name) => sets.get(name))
    .reduce((all, set) => all.union(set));
  return new RegExp(word.toClass(), 'u');
}
