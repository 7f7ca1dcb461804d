import type { TextWindow } from './text-window.ts';

/**
 * `more`: the window is used up; `part`: a key or a value of the asked depth is complete;
 * `error`: what stands at the cursor cannot follow.
 */
export type ScanStatus = 'more' | 'part' | 'done' | 'error';

/** Whether repairs are made, and the deepest nesting that is read. */
export type JsonLimits = Readonly<{ repair: boolean; maxDepth: number }>;

// What may come next. Numbers, so that the hot loop compares integers.
const VALUE = 0;
const VALUE_OR_END = 1;
const VALUE_AFTER_COMMA = 2;
const KEY_OR_END = 3;
const KEY_AFTER_COMMA = 4;
const COLON = 5;
const AFTER_VALUE = 6;
const STRING = 7;
const WORD = 8;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/**
 * Reads one JSON value at any chunking, strictly, keeping its exact text apart from the repairs.
 * Iterative, one look at each character; it stops at the first character that cannot follow.
 */
export class JsonScanner {
  /** First character of the value or part: what kind it is. */
  kind = '';
  /** Whether the last part is a key. */
  isKey = false;
  isRepaired = false;
  #state = VALUE;
  /** Closing characters of the open containers, outermost first. */
  readonly #closers: number[] = [];
  /** Text with repairs, up to the offset `copied`. */
  #text = '';
  #copied = 0;
  /** Behind the last token, or before the last comma: from here on a repair may change things. */
  #certain = 0;
  /** A number or word that the window cut. */
  #word = '';
  readonly #repair: boolean;
  readonly #maxDepth: number;
  readonly #partDepth: number;
  #window: TextWindow;

  /** `partDepth` 1 stops at every key and value of the outermost container, 0 only at the end. */
  constructor(window: TextWindow, { repair, maxDepth }: JsonLimits, partDepth: 0 | 1 = 0) {
    this.#window = window;
    this.#repair = repair;
    this.#maxDepth = maxDepth;
    this.#partDepth = partDepth;
  }

  begin(): void {
    this.kind = '';
    this.isRepaired = false;
    this.#state = VALUE;
    this.#closers.length = 0;
    this.#word = '';
    this.#text = '';
    this.#copied = this.#certain = this.#window.offset;
  }

  get isInString(): boolean {
    return this.#state === STRING;
  }

  /** How many containers are open. */
  get depth(): number {
    return this.#closers.length;
  }

  /** The text of the value or part since the last time, as far as it is certain; repairs made. */
  take(): string {
    const end = this.#state === STRING ? this.#window.offset : this.#certain;
    const text = this.#text + this.#window.since(this.#copied, end);
    this.#text = '';
    this.#copied = end;
    return text;
  }

  /** Closes what is open inside the part, if only closing characters are missing. */
  closeMissing(): boolean {
    const state = this.#state;
    const canClose = state === AFTER_VALUE || state === KEY_OR_END || state === VALUE_OR_END;
    if (!this.#repair || !canClose) return false;
    this.#text += this.#window.since(this.#copied, this.#certain);
    this.#copied = this.#certain;
    while (this.#closers.length > this.#partDepth)
      this.#text += String.fromCharCode(this.#closers.pop() ?? 0);
    this.isRepaired = true;
    return true;
  }

  /** Reads on from the window's cursor and moves it. */
  scan(): ScanStatus {
    for (;;) {
      const status = this.#step();
      if (status !== 'again') return status;
    }
  }

  #step(): ScanStatus | 'again' {
    if (this.#state === STRING) return this.#readString();
    if (this.#state === WORD) return this.#readWord();
    const window = this.#window;
    const state = this.#state;
    if (!window.skipSpace()) return 'more';
    const code = window.text.charCodeAt(window.pos);
    if (state === AFTER_VALUE) return code === COMMA ? this.#comma() : this.#close(code);
    if (state <= VALUE_AFTER_COMMA) {
      return code === CLOSE_BRACKET && state !== VALUE ? this.#close(code) : this.#open(code);
    }
    if (state !== COLON) return code === QUOTE ? this.#openString(true) : this.#close(code);
    return code === 58 ? this.#pass(VALUE) : 'error';
  }

  /** Takes the character at the cursor. */
  #pass(next: number): 'again' {
    this.#window.pos += 1;
    this.#certain = this.#window.offset;
    this.#state = next;
    return 'again';
  }

  #comma(): 'again' {
    // White space before a comma is certain, the comma itself only with what follows it.
    this.#certain = this.#window.offset;
    this.#window.pos += 1;
    this.#state =
      this.#closers[this.#closers.length - 1] === CLOSE_BRACE ? KEY_AFTER_COMMA : VALUE_AFTER_COMMA;
    return 'again';
  }

  #open(code: number): ScanStatus | 'again' {
    if (this.#closers.length === this.#partDepth) this.#beginPart(code);
    if (code === QUOTE) return this.#openString(false);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (this.#closers.length >= this.#maxDepth) return 'error';
      this.#closers.push(code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
      return this.#pass(code === OPEN_BRACE ? KEY_OR_END : VALUE_OR_END);
    }
    if (!'-0123456789tfn'.includes(String.fromCharCode(code))) return 'error';
    this.#state = WORD;
    return 'again';
  }

  #beginPart(code: number): void {
    this.kind = String.fromCharCode(code);
    this.#text = '';
    this.#copied = this.#certain = this.#window.offset;
  }

  #openString(isKey: boolean): 'again' {
    if (isKey && this.#closers.length === this.#partDepth) this.#beginPart(QUOTE);
    this.isKey = isKey;
    return this.#pass(STRING);
  }

  #close(code: number): ScanStatus | 'again' {
    const state = this.#state;
    if (this.#closers[this.#closers.length - 1] !== code) return 'error';
    if (state === VALUE_AFTER_COMMA || state === KEY_AFTER_COMMA) {
      if (!this.#repair) return 'error';
      this.#replace(this.#certain, '');
    }
    this.#closers.pop();
    this.#window.pos += 1;
    return this.#endValue();
  }

  #endValue(): ScanStatus | 'again' {
    this.#certain = this.#window.offset;
    this.#state = AFTER_VALUE;
    this.isKey = false;
    if (this.#closers.length === 0) return 'done';
    return this.#closers.length === this.#partDepth ? 'part' : 'again';
  }

  #readString(): ScanStatus | 'again' {
    const window = this.#window;
    const { text } = window;
    for (;;) {
      window.pos = plainEnd(text, window.pos);
      if (window.pos >= text.length) return 'more';
      const code = text.charCodeAt(window.pos);
      if (code === QUOTE) return this.#endString();
      const width = code === BACKSLASH ? escapeLength(text, window.pos, window.isLast) : -1;
      if (width === 0) return 'more';
      if (width < 0 && !this.#repair) return 'error';
      if (width < 0)
        this.#replace(window.offset, code === BACKSLASH ? '\\\\' : escapeControl(code));
      window.pos += Math.max(1, width);
    }
  }

  #endString(): ScanStatus | 'again' {
    this.#window.pos += 1;
    if (!this.isKey) return this.#endValue();
    this.#certain = this.#window.offset;
    this.#state = COLON;
    return this.#closers.length === this.#partDepth ? 'part' : 'again';
  }

  /** Repairs one character. */
  #replace(offset: number, by: string): void {
    this.#text += this.#window.since(this.#copied, offset) + by;
    this.#copied = offset + 1;
    this.isRepaired = true;
  }

  /** A number, `true`, `false` or `null`. */
  #readWord(): ScanStatus | 'again' {
    const window = this.#window;
    const { text, pos } = window;
    wordForm.lastIndex = pos;
    wordForm.test(text);
    window.pos = wordForm.lastIndex;
    const word = this.#word + text.slice(pos, window.pos);
    if (window.pos >= text.length && !window.isLast) {
      this.#word = word;
      return 'more';
    }
    this.#word = '';
    return valueForm.test(word) ? this.#endValue() : 'error';
  }
}

const wordForm = /[-+.\w]*/y;
const valueForm = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const plain = /[ !#-[\]-\uffff]*/y;

/** Passes characters that stand for themselves and ordinary escapes. */
function plainEnd(text: string, from: number): number {
  for (let index = from; ; index += 2) {
    index = runEnd(text, index);
    if (text.charCodeAt(index) !== BACKSLASH) return index;
    if (isSimpleEscape[text.charCodeAt(index + 1)] !== 1) return index;
  }
}

/** End of a run without escapes. A few characters are faster in a loop, all others in an expression. */
function runEnd(text: string, from: number): number {
  const near = Math.min(text.length, from + 8);
  for (let index = from; index < near; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH || code === QUOTE || code < 32) return index;
  }
  plain.lastIndex = near;
  plain.test(text);
  return plain.lastIndex;
}

/** 1 for the characters that a backslash may precede, `u` aside. */
const isSimpleEscape = new Uint8Array(128);
for (const character of '"\\/bfnrt') isSimpleEscape[character.charCodeAt(0)] = 1;

/** Length of the `\\u` escape at this backslash; 0 when the window cuts an escape, -1 when it is none. */
function escapeLength(text: string, index: number, isLast: boolean): number {
  const escape = text.slice(index, index + 6);
  if (/^\\u[\da-f]{4}$/i.test(escape)) return 6;
  return !isLast && /^\\(u[\da-f]{0,3})?$/i.test(escape) ? 0 : -1;
}

function escapeControl(code: number): string {
  return JSON.stringify(String.fromCharCode(code)).slice(1, -1);
}
