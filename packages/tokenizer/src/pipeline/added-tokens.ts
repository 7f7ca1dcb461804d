import { TokenizerError } from '../tokenizer-error.ts';
import { type ComponentJson, flag, text } from './component.ts';

/** A token that is looked for in a text before the model sees it. */
export type AddedToken = Readonly<{
  id: number;
  content: string;
  special: boolean;
  singleWord: boolean;
  stripsLeft: boolean;
  stripsRight: boolean;
  /** Looked for in the normalized text instead of the raw one. */
  normalized: boolean;
}>;

export function readAddedToken(json: ComponentJson, id: unknown): AddedToken {
  if (typeof id !== 'number' || !Number.isInteger(id))
    throw new TokenizerError('FORMAT', `The id of an added token is none: ${String(id)}`);
  const special = flag(json, 'special', false);
  return {
    id,
    content: text(json, 'content'),
    special,
    singleWord: flag(json, 'single_word', false),
    stripsLeft: flag(json, 'lstrip', false),
    stripsRight: flag(json, 'rstrip', false),
    normalized: flag(json, 'normalized', !special),
  };
}

/** A part of a text: an added token, or what lies between them. */
export type Segment = Readonly<{ start: number; end: number; token: AddedToken | null }>;

/** Finds added tokens: the leftmost, of these the longest. */
export class AddedTokenFinder {
  private readonly root: Node = { token: null, next: new Map() };
  private readonly candidates: RegExp | null;
  private readonly word: RegExp;

  /** `entries`: what is looked for, and the token that it is. `word` matches a character of a word. */
  constructor(entries: readonly (readonly [content: string, token: AddedToken])[], word: RegExp) {
    this.word = word;
    for (const [content, token] of entries) if (content !== '') this.add(content, token);
    const units = [...this.root.next.keys()].map(
      (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
    );
    this.candidates = units.length === 0 ? null : new RegExp(`[${units.join('')}]`, 'g');
  }

  /** The whole text in segments. `skipsSpecial`: the names of special tokens are text. */
  split(text: string, skipsSpecial: boolean): Segment[] {
    const segments: Segment[] = [];
    let end = 0;
    for (let at = this.candidate(text, 0); at !== -1; ) {
      const token = this.longestAt(text, at);
      const next = at + (token === null ? 1 : token.content.length);
      const extent = token === null ? null : this.extent(text, token.found, at, next, end);
      if (extent !== null && !(skipsSpecial && extent.token?.special)) {
        if (extent.start > end) segments.push({ start: end, end: extent.start, token: null });
        segments.push(extent);
        end = extent.end;
      }
      at = this.candidate(text, next);
    }
    if (end < text.length) segments.push({ start: end, end: text.length, token: null });
    return segments;
  }

  private add(content: string, token: AddedToken): void {
    let node = this.root;
    for (let index = 0; index < content.length; index += 1) {
      const unit = content.charCodeAt(index);
      const next = node.next.get(unit) ?? { token: null, next: new Map() };
      node.next.set(unit, next);
      node = next;
    }
    node.token ??= { found: token, content };
  }

  private candidate(text: string, from: number): number {
    if (this.candidates === null) return -1;
    this.candidates.lastIndex = from;
    return this.candidates.exec(text)?.index ?? -1;
  }

  private longestAt(text: string, start: number): Found | null {
    let longest: Found | null = null;
    let node: Node | undefined = this.root;
    for (let index = start; index < text.length; index += 1) {
      node = node.next.get(text.charCodeAt(index));
      if (node === undefined) break;
      longest = node.token ?? longest;
    }
    return longest;
  }

  /** Where the token is, with the spaces that it takes along; null: it is a part of a word, and must not be. */
  private extent(
    text: string,
    token: AddedToken,
    start: number,
    end: number,
    previousEnd: number,
  ): Segment | null {
    if (token.singleWord && (this.isWord(before(text, start)) || this.isWord(after(text, end))))
      return null;
    let from = start;
    while (token.stripsLeft && from > previousEnd && isSpace(text[from - 1])) from -= 1;
    let to = end;
    while (token.stripsRight && isSpace(text[to])) to += 1;
    return { start: from, end: to, token };
  }

  private isWord(character: string): boolean {
    return this.word.test(character);
  }
}

type Found = Readonly<{ found: AddedToken; content: string }>;
type Node = { token: Found | null; readonly next: Map<number, Node> };

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\p{White_Space}/u.test(character);
}

function before(text: string, end: number): string {
  return Array.from(text.slice(Math.max(0, end - 2), end)).at(-1) ?? '';
}

function after(text: string, start: number): string {
  return Array.from(text.slice(start, start + 2))[0] ?? '';
}
