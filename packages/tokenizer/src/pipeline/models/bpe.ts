import { TokenizerError, unsupported } from '../../tokenizer-error.ts';
import { toByteCharacters } from '../byte-characters.ts';
import { type ComponentJson, flag, isObject } from '../component.ts';
import { mergeSymbols } from './merge-symbols.ts';
import { PairTable } from './pair-table.ts';
import { SafeCuts } from './safe-cuts.ts';
import type { TokenModel } from './token-model.ts';
import { readVocabulary, tokensById } from './vocabulary.ts';

/** Byte-pair encoding. */
export function createBpe(json: ComponentJson): TokenModel {
  if (typeof json.dropout === 'number' && json.dropout > 0) throw unsupported('"dropout" of BPE');
  return new Bpe(json);
}

/** Words up to this length are remembered, so many at most. */
const REMEMBERED_LENGTH = 256;
const REMEMBERED_WORDS = 50_000;

/** Longer pieces are cut where no merge can cross. */
const SHORT_PIECE = 40;

class Bpe implements TokenModel {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly continuingPrefix: string;
  readonly endOfWordSuffix: string;
  readonly unknownId: number | null;
  readonly locatesBytes = true;
  private readonly tokens: readonly (string | undefined)[];
  private readonly pairs: PairTable;
  private readonly fuseUnknown: boolean;
  private readonly ignoreMerges: boolean;
  private readonly byteIds: readonly number[] | null;
  /** What merges make; null where words are not cut. */
  private readonly mergedIds: readonly number[] | null;
  private cuts: SafeCuts | null = null;
  /** What words became: those of characters, and those whose bytes were encoded. */
  private readonly words = new Map<string, readonly number[]>();
  private readonly byteWords = new Map<string, readonly number[]>();

  constructor(json: ComponentJson) {
    this.vocabulary = readVocabulary(json.vocab);
    this.tokens = tokensById(this.vocabulary);
    this.continuingPrefix = optionalText(json.continuing_subword_prefix);
    this.endOfWordSuffix = optionalText(json.end_of_word_suffix);
    this.unknownId = this.readUnknown(json.unk_token);
    this.fuseUnknown = flag(json, 'fuse_unk', false);
    this.ignoreMerges = flag(json, 'ignore_merges', false);
    this.byteIds = flag(json, 'byte_fallback', false) ? this.readBytes() : null;
    const merges = this.readMerges(json.merges);
    this.pairs = new PairTable(merges);
    // a word that is looked up whole, or whose parts are spelled by their place, cannot be cut
    const isPlain = this.continuingPrefix === '' && this.endOfWordSuffix === '';
    this.mergedIds = isPlain && !this.ignoreMerges ? merges.map(([, , merged]) => merged) : null;
  }

  get size(): number {
    return this.vocabulary.size;
  }

  tokenOf(id: number): string | undefined {
    return this.tokens[id];
  }

  encode(piece: string, areBytes: boolean, ids: number[]): void {
    const cuts = piece.length > SHORT_PIECE ? this.safeCuts() : null;
    if (cuts === null) this.encodePart(piece, areBytes, ids);
    else
      for (const part of cuts.cut(areBytes ? toByteCharacters(piece) : piece))
        this.encodePart(part, false, ids);
  }

  /** Made when the first long piece comes: many texts have none. */
  private safeCuts(): SafeCuts | null {
    if (this.mergedIds === null) return null;
    this.cuts ??= new SafeCuts(
      this.vocabulary,
      this.mergedIds.map((id) => this.tokens[id] ?? ''),
    );
    return this.cuts;
  }

  private encodePart(piece: string, areBytes: boolean, ids: number[]): void {
    const remembered = areBytes ? this.byteWords : this.words;
    let word = remembered.get(piece);
    if (word === undefined) {
      word = this.encodeWord(areBytes ? toByteCharacters(piece) : piece);
      remember(remembered, piece, word);
    }
    for (const id of word) ids.push(id);
  }

  private encodeWord(word: string): readonly number[] {
    const whole = this.ignoreMerges ? this.vocabulary.get(word) : undefined;
    if (whole !== undefined) return [whole];
    return mergeSymbols(this.symbolsOf(word), this.pairs);
  }

  /** Neighbouring unknown characters are one unknown token when they are to be fused; without such a token they vanish. */
  private symbolsOf(word: string): number[] {
    const symbols: number[] = [];
    const characters = Array.from(word);
    let unknown: number | null = null;
    characters.forEach((character, index) => {
      const spelled = this.spelled(character, index, characters.length);
      const id = this.vocabulary.get(spelled);
      if (id === undefined && this.pushBytes(spelled, symbols)) return;
      const continues = id === undefined && this.fuseUnknown;
      if (unknown !== null && !continues) symbols.push(unknown);
      unknown = id === undefined ? this.unknownId : null;
      if (id !== undefined) symbols.push(id);
    });
    if (unknown !== null) symbols.push(unknown);
    return symbols;
  }

  private spelled(character: string, index: number, length: number): string {
    const prefix = index > 0 ? this.continuingPrefix : '';
    return prefix + character + (index === length - 1 ? this.endOfWordSuffix : '');
  }

  /** A character that is no token as the tokens of its bytes, if all of them exist. */
  private pushBytes(spelled: string, symbols: number[]): boolean {
    const { byteIds } = this;
    if (byteIds === null) return false;
    const ids = Array.from(new TextEncoder().encode(spelled), (byte) => byteIds[byte] ?? -1);
    if (ids.includes(-1)) return false;
    symbols.push(...ids);
    return true;
  }

  private readUnknown(token: unknown): number | null {
    if (typeof token !== 'string') return null;
    const id = this.vocabulary.get(token);
    if (id === undefined)
      throw new TokenizerError('FORMAT', `The unk_token ${JSON.stringify(token)} is no token`);
    return id;
  }

  private readBytes(): number[] {
    return Array.from({ length: 256 }, (_, byte) => {
      const name = `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
      return this.vocabulary.get(name) ?? -1;
    });
  }

  private readMerges(merges: unknown): [number, number, number][] {
    if (!Array.isArray(merges)) throw new TokenizerError('FORMAT', 'The merges of BPE are no list');
    return merges.map((merge) => {
      const [left, right] = mergeOf(merge);
      const merged = left + right.slice(this.continuingPrefix.length);
      return [this.idOf(left), this.idOf(right), this.idOf(merged)];
    });
  }

  private idOf(token: string): number {
    const id = this.vocabulary.get(token);
    if (id !== undefined) return id;
    throw new TokenizerError('FORMAT', `${JSON.stringify(token)} of a merge is no token`);
  }
}

function remember(
  words: Map<string, readonly number[]>,
  piece: string,
  word: readonly number[],
): void {
  if (piece.length > REMEMBERED_LENGTH) return;
  if (words.size >= REMEMBERED_WORDS) words.clear();
  words.set(piece, word);
}

function optionalText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Newer files have pairs, older ones a text with a space. */
function mergeOf(merge: unknown): [string, string] {
  const parts: unknown[] =
    typeof merge === 'string' ? merge.split(' ') : Array.isArray(merge) ? merge : [];
  const [left, right] = parts;
  if (parts.length === 2 && typeof left === 'string' && typeof right === 'string')
    return [left, right];
  const shown = isObject(merge) ? 'an object' : JSON.stringify(merge);
  throw new TokenizerError('FORMAT', `A merge of BPE is no pair: ${shown}`);
}
