import { toByteCharacters } from './pipeline/byte-characters.ts';
import { fallbackByte } from './pipeline/decoders/byte-fallback.ts';
import type { TokenModel } from './pipeline/models/token-model.ts';
import type { Pipeline, Section } from './pipeline/pipeline.ts';
import { unsupported } from './tokenizer-error.ts';

/** Where a token stands in the normalized text of its section. */
type Place = Readonly<{ section: number; start: number; end: number }>;

/** The ids of a text, and where each of them stands. */
export class LocatedText {
  readonly ids: readonly number[];
  private readonly text: string;
  private readonly pipeline: Pipeline;
  private readonly sections: readonly Section[];
  private readonly places: readonly Place[];

  constructor(pipeline: Pipeline, text: string) {
    this.pipeline = pipeline;
    this.text = text;
    this.sections = [...pipeline.sections(text, false)];
    const located = this.sections.flatMap((section, index) =>
      locate(section, index, pipeline.model),
    );
    this.ids = located.map(({ id }) => id);
    this.places = located;
  }

  /** The tokens that have a part in `[start, end)` of the text, as a range of indices. */
  tokensIn(start: number, end: number): readonly [first: number, end: number] {
    const from = this.boundary(start);
    const to = this.boundary(end);
    const first = this.places.findIndex((place) => isBehind(place, from));
    if (first === -1) return [this.places.length, this.places.length];
    let last = first;
    while (last < this.places.length && isBefore(this.places[last], to)) last += 1;
    return [first, last];
  }

  /** A place of the raw text as one of the normalized text. */
  private boundary(position: number): Readonly<{ section: number; at: number }> {
    const index = this.sections.findIndex((section) => position < section.end);
    const section = this.sections[index];
    if (section === undefined) return { section: this.sections.length, at: 0 };
    const raw = this.text.slice(section.start, section.end);
    const offset = position - section.start;
    if (offset <= 0 || raw === section.normalized) return { section: index, at: offset };
    const before = this.pipeline.normalized(raw.slice(0, offset));
    if (section.normalized.startsWith(before)) return { section: index, at: before.length };
    throw unsupported('Token spans behind a normalizer that changes across a span border');
  }
}

type Boundary = Readonly<{ section: number; at: number }>;

function isBehind(place: Place, from: Boundary): boolean {
  return place.section === from.section ? place.end > from.at : place.section > from.section;
}

function isBefore(place: Place | undefined, to: Boundary): boolean {
  if (place === undefined) return false;
  return place.section === to.section ? place.start < to.at : place.section < to.section;
}

function locate(
  section: Section,
  index: number,
  model: TokenModel,
): (Place & Readonly<{ id: number }>)[] {
  return section.parts.flatMap(({ start, end, token, pieces }) => {
    if (token !== null) return [{ id: token.id, section: index, start, end }];
    return pieces.texts.flatMap((text, piece) => {
      const base = start + (pieces.starts[piece] ?? 0);
      if (Number.isNaN(base))
        throw unsupported('Token spans behind a pre-tokenizer that follows "ByteLevel"');
      return locatePiece(text, pieces.areBytes, model).map((one) => ({
        id: one.id,
        section: index,
        start: Math.max(start, base + one.start),
        end: base + one.end,
      }));
    });
  });
}

type Located = Readonly<{ id: number; start: number; end: number }>;

function locatePiece(piece: string, areBytes: boolean, model: TokenModel): Located[] {
  const ids: number[] = [];
  model.encode(piece, areBytes, ids);
  const characters = Array.from(piece);
  const units = characters.map((one) => (areBytes ? toByteCharacters(one) : one));
  const located = walk(ids, units.join(''), model);
  if (located === null) throw unsupported('Token spans in a text with unknown characters');
  const places = placesOf(characters, units);
  return located.map(({ id, start, end }) => ({
    id,
    start: places.starts[start] ?? 0,
    end: places.ends[end] ?? piece.length,
  }));
}

/** Where each token stands in the text that the model saw; null: it cannot be told. */
function walk(ids: readonly number[], text: string, model: TokenModel): Located[] | null {
  const located: Located[] = [];
  let position = 0;
  let bytes = 0;
  for (const id of ids) {
    const token = spelling(model.tokenOf(id) ?? '', position, model);
    if (bytes === 0 && token !== '' && text.startsWith(token, position)) {
      located.push({ id, start: position, end: position + token.length });
      position += token.length;
    } else {
      const character = Array.from(text.slice(position, position + 2))[0];
      if (character === undefined || fallbackByte(token) === null || !model.locatesBytes)
        return null;
      located.push({ id, start: position, end: position + character.length });
      bytes = (bytes + 1) % new TextEncoder().encode(character).length;
      if (bytes === 0) position += character.length;
    }
  }
  return position === text.length ? located : null;
}

function spelling(token: string, position: number, model: TokenModel): string {
  const prefix =
    position > 0 && token.startsWith(model.continuingPrefix) ? model.continuingPrefix : '';
  const word = token.slice(prefix.length);
  return model.endOfWordSuffix !== '' && word.endsWith(model.endOfWordSuffix)
    ? word.slice(0, -model.endOfWordSuffix.length)
    : word;
}

/** For each place in the text of the model the character that holds it: where that starts, and ends. */
function placesOf(
  characters: readonly string[],
  units: readonly string[],
): Readonly<{ starts: readonly number[]; ends: readonly number[] }> {
  const starts: number[] = [];
  const ends: number[] = [0];
  let place = 0;
  characters.forEach((character, index) => {
    const count = units[index]?.length ?? 0;
    for (let unit = 0; unit < count; unit += 1) {
      starts.push(place);
      ends.push(place + character.length);
    }
    place += character.length;
  });
  return { starts, ends };
}
