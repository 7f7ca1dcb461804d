import { TokenizerError, unsupported } from '../../tokenizer-error.ts';
import { toByteCharacters } from '../byte-characters.ts';
import { type ComponentJson, flag } from '../component.ts';
import type { TokenModel } from './token-model.ts';

/** SentencePiece's unigram model: the most likely way to cut a text into tokens. */
export function createUnigram(json: ComponentJson): TokenModel {
  for (const name of ['alpha', 'nbest_size'])
    if (typeof json[name] === 'number') throw unsupported(`"${name}" of Unigram`);
  return new Unigram(json);
}

/** How much less likely an unknown character is than the least likely token. */
const UNKNOWN_PENALTY = 10;

class Unigram implements TokenModel {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly size: number;
  readonly continuingPrefix = '';
  readonly endOfWordSuffix = '';
  readonly locatesBytes = false;
  readonly unknownId: number | null;
  private readonly entries: readonly (readonly [token: string, score: number])[];
  private readonly trie: TrieNode;
  private readonly unknownScore: number;
  private readonly byteFallback: boolean;

  constructor(json: ComponentJson) {
    this.entries = readEntries(json.vocab);
    this.size = this.entries.length;
    this.vocabulary = new Map(this.entries.map(([token], id) => [token, id]));
    this.unknownId = this.readUnknown(json.unk_id);
    this.trie = trieOf(this.vocabulary);
    this.unknownScore =
      this.entries.reduce((least, [, score]) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
    this.byteFallback = flag(json, 'byte_fallback', false);
  }

  tokenOf(id: number): string | undefined {
    return this.entries[id]?.[0];
  }

  encode(piece: string, areBytes: boolean, ids: number[]): void {
    const text = areBytes ? toByteCharacters(piece) : piece;
    for (const part of this.parts(text)) this.pushIds(part, ids);
  }

  private pushIds(part: string, ids: number[]): void {
    const id = this.vocabulary.get(part);
    if (id !== undefined) ids.push(id);
    else ids.push(...(this.bytesOf(part) ?? [this.unknown()]));
  }

  private bytesOf(part: string): number[] | null {
    if (!this.byteFallback) return null;
    const ids = Array.from(new TextEncoder().encode(part), (byte) =>
      this.vocabulary.get(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
    );
    return ids.every((id) => id !== undefined) ? ids : null;
  }

  private unknown(): number {
    if (this.unknownId !== null) return this.unknownId;
    throw new TokenizerError('UNSUPPORTED', 'A text that Unigram, without unk_id, cannot encode');
  }

  /** The best path from the start to each place, then back along it. Neighbouring unknown parts are one. */
  private parts(text: string): string[] {
    const path = this.bestPath(text);
    const parts: string[] = [];
    let wasUnknown = false;
    for (let end = text.length; end > 0; ) {
      const start = path.starts[end] ?? 0;
      const part = text.slice(start, end);
      const isUnknown = this.unknownId !== null && path.ids[end] === this.unknownId;
      if (isUnknown && wasUnknown) parts[parts.length - 1] = part + (parts.at(-1) ?? '');
      else parts.push(part);
      wasUnknown = isUnknown;
      end = start;
    }
    return parts.reverse();
  }

  private bestPath(text: string): Readonly<{ starts: Int32Array; ids: Int32Array }> {
    const starts = new Int32Array(text.length + 1).fill(-1);
    const ids = new Int32Array(text.length + 1);
    const scores = new Float64Array(text.length + 1);
    const offer = (start: number, end: number, id: number, score: number): void => {
      const candidate = score + (scores[start] ?? 0);
      if (starts[end] !== -1 && candidate <= (scores[end] ?? 0)) return;
      scores[end] = candidate;
      starts[end] = start;
      ids[end] = id;
    };
    for (let start = 0; start < text.length; ) {
      const next = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
      let isSingle = false;
      this.eachTokenAt(text, start, (end, id) => {
        offer(start, end, id, this.entries[id]?.[1] ?? 0);
        isSingle ||= end === next;
      });
      if (!isSingle) offer(start, next, this.unknown(), this.unknownScore);
      start = next;
    }
    return { starts, ids };
  }

  private eachTokenAt(text: string, start: number, visit: (end: number, id: number) => void): void {
    let node: TrieNode | undefined = this.trie;
    for (let index = start; index < text.length; index += 1) {
      node = node.next.get(text.charCodeAt(index));
      if (node === undefined) return;
      if (node.id !== -1) visit(index + 1, node.id);
    }
  }

  private readUnknown(value: unknown): number | null {
    if (value === null || value === undefined) return null;
    if (typeof value === 'number' && value < this.size) return value;
    throw new TokenizerError('FORMAT', 'The unk_id of Unigram is no token');
  }
}

type TrieNode = { id: number; readonly next: Map<number, TrieNode> };

function trieOf(vocabulary: ReadonlyMap<string, number>): TrieNode {
  const root: TrieNode = { id: -1, next: new Map() };
  for (const [token, id] of vocabulary) {
    let node = root;
    for (let index = 0; index < token.length; index += 1) {
      const unit = token.charCodeAt(index);
      const next = node.next.get(unit) ?? { id: -1, next: new Map() };
      node.next.set(unit, next);
      node = next;
    }
    node.id = id;
  }
  return root;
}

function readEntries(value: unknown): (readonly [string, number])[] {
  if (!Array.isArray(value)) throw new TokenizerError('FORMAT', 'The vocabulary is no list');
  return value.map((entry: unknown) => {
    const [token, score]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof token === 'string' && typeof score === 'number') return [token, score];
    throw new TokenizerError('FORMAT', 'An entry of the vocabulary is no token with a score');
  });
}
