import { addPiece } from '../pieces.ts';
import type { TextWindow } from '../text-window.ts';
import {
  BEHIND_COMMA,
  bitOf,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  VALUE,
  WORD,
} from './json-bits.ts';
import { escapeLength, plainEnd } from './json-string.ts';

/**
 * `more`: the window is used up; `part`: a key or a value of the asked depth is complete;
 * `error`: what stands at the cursor cannot follow.
 */
export type ScanStatus = 'more' | 'part' | 'done' | 'error';

/** Whether repairs are made, and the deepest nesting that is read. */
export type JsonLimits = Readonly<{ repair: boolean; maxDepth: number }>;

/**
 * Reads one JSON value at any chunking, strictly, keeping its exact text apart from the repairs.
 * Iterative, one look at each character; it stops at the first character that cannot follow.
 */
export class JsonScanner {
  /** First character of the value or part: what kind it is. */
  kind = '';
  /** Whether the last part is a key. */
  isKey = false;
  isInString = false;
  isRepaired = false;
  #next = VALUE;
  /** The bit that closes the innermost container. */
  #closer = 0;
  /** Those of the containers around it, with a 0 around all. */
  readonly #outer: number[] = [];
  /** Text with repairs, up to the offset `copied`, in pieces. */
  #text: string[] = [];
  #copied = 0;
  /** Behind the last token, or before the last comma: from here on a repair may change things. */
  #certain = 0;
  /** Where a number or word that the window cut begins; -1: none is. */
  #wordFrom = -1;
  readonly #limits: JsonLimits;
  readonly #partDepth: number;
  readonly #window: TextWindow;

  /** Reads from the cursor on. `partDepth` 1 stops at every key and value of the outermost container, 0 only at the end. */
  constructor(window: TextWindow, limits: JsonLimits, partDepth: 0 | 1 = 0) {
    this.#window = window;
    this.#limits = limits;
    this.#partDepth = partDepth;
    this.#copied = this.#certain = window.offset;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#outer.length;
  }

  /** The text of the value or part since the last time, as far as it is certain; repairs made. */
  take(): string {
    this.#copy(this.isInString ? this.#window.offset : this.#certain);
    const text = this.#text.join('');
    this.#text = [];
    return text;
  }

  /** Closes what is open inside the part, if only closing characters are missing. */
  closeMissing(): boolean {
    const mayEnd = this.#next & (CLOSE_BRACE | CLOSE_BRACKET);
    if (!this.#limits.repair || !mayEnd || this.#next & BEHIND_COMMA) return false;
    while (this.depth > this.#partDepth) {
      this.#copy(this.#certain, this.#closer === CLOSE_BRACE ? '}' : ']');
      this.#closer = this.#outer.pop() ?? 0;
    }
    this.isRepaired = true;
    return true;
  }

  /** Reads on from the window's cursor and moves it. */
  scan(): ScanStatus {
    for (;;) {
      const status = this.isInString ? this.#readString() : this.#readToken();
      if (status) return status;
    }
  }

  #readToken(): ScanStatus | undefined {
    const window = this.#window;
    if (this.#wordFrom >= 0) return this.#readWord(this.#wordFrom);
    if (!window.skipSpace()) return 'more';
    const next = this.#next;
    const bit = bitOf[window.text.charCodeAt(window.pos)] ?? WORD;
    if (!(next & bit)) return 'error';
    if (bit & VALUE && this.depth === this.#partDepth) this.#beginPart();
    if (bit === WORD) return this.#readWord(window.offset);
    if (bit & (OPEN_BRACE | OPEN_BRACKET) && this.depth >= this.#limits.maxDepth) return 'error';
    // white space before a comma is certain, the comma itself only with what follows it
    if (bit === COMMA) this.#certain = window.offset;
    window.pos += 1;
    switch (bit) {
      case COMMA:
        this.#next = BEHIND_COMMA | (this.#closer === CLOSE_BRACE ? QUOTE : VALUE);
        if (this.#limits.repair) this.#next |= this.#closer;
        return undefined;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (next & BEHIND_COMMA) this.#replace(this.#certain, '');
        this.#closer = this.#outer.pop() ?? 0;
        return this.#endValue();
      case COLON:
        this.#next = VALUE;
        break;
      case QUOTE:
        this.isKey = !(next & OPEN_BRACE);
        this.isInString = true;
        break;
      default:
        this.#outer.push(this.#closer);
        this.#closer = bit << 1;
        this.#next = bit === OPEN_BRACE ? QUOTE | CLOSE_BRACE : VALUE | CLOSE_BRACKET;
    }
    this.#certain = window.offset;
    return undefined;
  }

  #beginPart(): void {
    this.kind = this.#window.character;
    this.#text = [];
    this.#copied = this.#certain = this.#window.offset;
  }

  #endValue(): ScanStatus | undefined {
    this.#next = COMMA | this.#closer;
    this.isKey = false;
    return this.#endToken();
  }

  /** The text up to the cursor is certain; at the asked depth a part is complete. */
  #endToken(): ScanStatus | undefined {
    this.#certain = this.#window.offset;
    if (this.depth === 0) return 'done';
    return this.depth === this.#partDepth ? 'part' : undefined;
  }

  #readString(): ScanStatus | undefined {
    const window = this.#window;
    const { text } = window;
    for (;;) {
      window.pos = plainEnd(text, window.pos);
      const { character } = window;
      if (character === '') return 'more';
      if (character === '"') return this.#endString();
      const width = character === '\\' ? escapeLength(text, window.pos, window.isLast) : -1;
      if (width === 0) return 'more';
      if (width < 0 && !this.#limits.repair) return 'error';
      if (width < 0) this.#replace(window.offset, JSON.stringify(character).slice(1, -1));
      window.pos += Math.max(1, width);
    }
  }

  #endString(): ScanStatus | undefined {
    this.isInString = false;
    this.#window.pos += 1;
    if (!this.isKey) return this.#endValue();
    this.#next = COLON;
    return this.#endToken();
  }

  /** Takes the text up to `end` over, and then what is missing there. */
  #copy(end: number, missing = ''): void {
    addPiece(this.#text, this.#window.since(this.#copied, end) + missing);
    this.#copied = end;
  }

  /** Repairs one character. */
  #replace(offset: number, by: string): void {
    this.#copy(offset, by);
    this.#copied += 1;
    this.isRepaired = true;
  }

  /** A number, `true`, `false` or `null`; anything else ends before or behind a wrong word. */
  #readWord(from: number): ScanStatus | undefined {
    const window = this.#window;
    const { text } = window;
    wordForm.lastIndex = window.pos;
    wordForm.test(text);
    window.pos = wordForm.lastIndex;
    const isCut = window.pos >= text.length && !window.isLast;
    this.#wordFrom = isCut ? from : -1;
    if (isCut) return 'more';
    const word = window.since(from);
    if (jsonWord.test(word)) return this.#endValue();
    if (word) this.#next = 0;
    return 'error';
  }
}

const wordForm = /[-+.\w]*/y;

/** A number, `true`, `false` or `null`. */
export const jsonWord: RegExp = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/;
