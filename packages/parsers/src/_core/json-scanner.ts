import { isSpace } from './whitespace.ts';

/** Text with a cursor; `isLast` when nothing can follow. A window is one. */
export interface Window {
  readonly text: string;
  pos: number;
  readonly isLast: boolean;
}

/** `more`: the window is used up; `error`: the character at the cursor cannot follow. */
export type ScanStatus = 'more' | 'done' | 'error';

// What may come next. Numbers, so that the hot loop switches on integers.
const VALUE = 0;
const VALUE_OR_END = 1;
const VALUE_AFTER_COMMA = 2;
const KEY_OR_END = 3;
const KEY_AFTER_COMMA = 4;
const COLON = 5;
const COMMA_OR_END = 6;
const STRING = 7;
const NUMBER = 8;
const LITERAL = 9;
const DONE = 10;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const controlEscapes: Readonly<Record<number, string>> = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
};

/**
 * Reads one JSON value at any chunking, strictly, keeping its exact text apart from the repairs.
 * Iterative, one look at each character; it stops at the first character that cannot follow.
 */
export class JsonScanner {
  /** First character of the value: what kind it is. */
  kind = '';
  isRepaired = false;
  private state = VALUE;
  private isKey = false;
  /** Closing characters of the open containers, outermost first. */
  private closers: number[] = [];
  private piece = '';
  /** A number or literal that the window cut. */
  private token = '';
  /** White space, or a comma and white space, whose fate the next character decides. */
  private held = '';
  private readonly repair: boolean;
  private readonly maxDepth: number;

  constructor(repair: boolean, maxDepth: number) {
    this.repair = repair;
    this.maxDepth = maxDepth;
  }

  begin(): void {
    this.kind = '';
    this.isRepaired = false;
    this.state = VALUE;
    this.isKey = false;
    this.closers.length = 0;
    this.piece = '';
    this.token = '';
    this.held = '';
  }

  private get isDone(): boolean {
    return this.state === DONE;
  }

  get isInString(): boolean {
    return this.state === STRING;
  }

  /** The text read since the last time, repairs made. */
  take(): string {
    const piece = this.piece;
    this.piece = '';
    return piece;
  }

  /** Closes what is open, if only closing characters are missing. False: more than that is. */
  closeMissing(): boolean {
    if (!this.repair || !this.canClose) return false;
    this.held = '';
    while (this.closers.length > 0) this.piece += String.fromCharCode(this.closers.pop() ?? 0);
    this.isRepaired = true;
    this.state = DONE;
    return true;
  }

  /** Reads on from the window's cursor and moves it. */
  scan(window: Window): ScanStatus {
    const text = window.text;
    const length = text.length;
    let index = window.pos;
    let copied = index;
    while (index < length) {
      const code = text.charCodeAt(index);
      if (this.state === STRING) {
        if (code === QUOTE) {
          index += 1;
          this.endString();
          if (this.isDone) break;
        } else if (code === BACKSLASH) {
          const width = escapeLength(text, index, window.isLast);
          if (width === 0) break;
          if (width < 0) {
            if (!this.repair) return this.stop(window, text, copied, index);
            this.piece += `${text.slice(copied, index)}\\`;
            copied = index;
            index += 1;
            this.isRepaired = true;
          } else index += width;
        } else if (code < 32) {
          if (!this.repair) return this.stop(window, text, copied, index);
          this.piece += text.slice(copied, index) + escapeControl(code);
          index += 1;
          copied = index;
          this.isRepaired = true;
        } else {
          index = passPlainString(text, index + 1);
        }
        continue;
      }
      if (this.state === NUMBER || this.state === LITERAL) {
        const end = this.state === NUMBER ? numberEnd(text, index) : literalEnd(text, index);
        this.token += text.slice(index, end);
        index = end;
        if (end === length && !window.isLast) break;
        if (!this.endToken()) return this.stop(window, text, copied, index);
        if (this.closers.length === 0) {
          this.state = DONE;
          break;
        }
        continue;
      }
      if (isSpace(code)) {
        index += 1;
        if (this.kind === '') copied = index;
        continue;
      }
      const isTrailing = this.isTrailingComma(code);
      if (isTrailing && !this.repair) return this.stop(window, text, copied, index);
      if (!this.accept(code)) return this.stop(window, text, copied, index);
      if (isTrailing || this.held !== '') {
        this.settle(this.held + text.slice(copied, index), isTrailing);
        copied = index;
      }
      if (code === COMMA && this.mustHoldComma(text, index)) {
        this.piece += text.slice(copied, index);
        this.held = ',';
        copied = index + 1;
      }
      // Numbers and literals are read from their first character on.
      if (this.state !== NUMBER && this.state !== LITERAL) index += 1;
      if (this.isDone) break;
    }
    this.copy(text, copied, index);
    window.pos = index;
    if (this.state === DONE) return 'done';
    return window.isLast && this.endAtLast() ? 'done' : 'more';
  }

  private stop(window: Window, text: string, copied: number, index: number): ScanStatus {
    this.copy(text, copied, index);
    window.pos = index;
    return 'error';
  }

  /**
   * Lets text through. White space where a container could end is held: if closing characters
   * turn out to be missing, they belong before it.
   */
  private copy(text: string, from: number, to: number): void {
    if (this.held !== '') {
      this.held += text.slice(from, to);
      return;
    }
    let end = to;
    if (this.canClose) while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
    this.piece += text.slice(from, end);
    if (end < to) this.held = text.slice(end, to);
  }

  private get canClose(): boolean {
    const { state } = this;
    return state === COMMA_OR_END || state === KEY_OR_END || state === VALUE_OR_END;
  }

  /** One structural character; false when it cannot follow. */
  private accept(code: number): boolean {
    switch (this.state) {
      case VALUE:
      case VALUE_OR_END:
      case VALUE_AFTER_COMMA:
        if (code === CLOSE_BRACKET && this.state !== VALUE) return this.close(code);
        return this.open(code);
      case KEY_OR_END:
      case KEY_AFTER_COMMA:
        if (code === CLOSE_BRACE) return this.close(code);
        if (code !== QUOTE) return false;
        this.isKey = true;
        this.state = STRING;
        return true;
      case COLON:
        if (code !== 58) return false;
        this.state = VALUE;
        return true;
      default:
        return code === COMMA ? this.comma() : this.close(code);
    }
  }

  private open(code: number): boolean {
    if (this.kind === '') this.kind = String.fromCharCode(code);
    if (code === QUOTE) {
      this.isKey = false;
      this.state = STRING;
      return true;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (this.closers.length >= this.maxDepth) return false;
      this.closers.push(code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
      this.state = code === OPEN_BRACE ? KEY_OR_END : VALUE_OR_END;
      return true;
    }
    this.token = '';
    if (code === 45 || (code >= 48 && code <= 57)) this.state = NUMBER;
    else if (code === 116 || code === 102 || code === 110) this.state = LITERAL;
    else return false;
    return true;
  }

  private close(code: number): boolean {
    if (this.closers[this.closers.length - 1] !== code) return false;
    this.closers.pop();
    this.state = this.closers.length === 0 ? DONE : COMMA_OR_END;
    return true;
  }

  private comma(): boolean {
    const isObject = this.closers[this.closers.length - 1] === CLOSE_BRACE;
    this.state = isObject ? KEY_AFTER_COMMA : VALUE_AFTER_COMMA;
    return true;
  }

  private endString(): void {
    if (this.isKey) this.state = COLON;
    else this.state = this.closers.length === 0 ? DONE : COMMA_OR_END;
  }

  private endToken(): boolean {
    const token = this.token;
    const isRight =
      this.state === NUMBER
        ? numberForm.test(token)
        : token === 'true' || token === 'false' || token === 'null';
    this.token = '';
    if (isRight) this.state = COMMA_OR_END;
    return isRight;
  }

  /** A number at the very top may end with the text. */
  private endAtLast(): boolean {
    const isToken = this.state === NUMBER || this.state === LITERAL;
    if (!isToken || this.closers.length > 0 || !this.endToken()) return false;
    this.state = DONE;
    return true;
  }

  private isTrailingComma(code: number): boolean {
    if (this.state === KEY_AFTER_COMMA) return code === CLOSE_BRACE;
    return this.state === VALUE_AFTER_COMMA && code === CLOSE_BRACKET;
  }

  /** Only a comma whose successor is a closing bracket, or not here yet, needs holding. */
  private mustHoldComma(text: string, index: number): boolean {
    let next = index + 1;
    while (next < text.length && isSpace(text.charCodeAt(next))) next += 1;
    const code = next < text.length ? text.charCodeAt(next) : CLOSE_BRACE;
    return code === CLOSE_BRACE || code === CLOSE_BRACKET;
  }

  /** The next character is known: lets the held text through, without a trailing comma. */
  private settle(held: string, isTrailing: boolean): void {
    this.held = '';
    if (isTrailing) this.isRepaired = true;
    this.piece += isTrailing ? held.slice(1) : held;
  }
}

/** 1 for the characters that a backslash may precede, `u` aside. */
const isSimpleEscape = new Uint8Array(128);
for (const character of '"\\/bfnrt') isSimpleEscape[character.charCodeAt(0)] = 1;

/** Passes plain characters and ordinary escapes: the hot loop of long strings. */
function passPlainString(text: string, from: number): number {
  const length = text.length;
  let index = from;
  while (index < length) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) {
      if (index + 1 >= length || isSimpleEscape[text.charCodeAt(index + 1)] !== 1) break;
      index += 2;
    } else if (code === QUOTE || code < 32) break;
    else index += 1;
  }
  return index;
}

function numberEnd(text: string, from: number): number {
  let index = from;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    const isPart =
      (code >= 48 && code <= 57) ||
      code === 43 ||
      code === 45 ||
      code === 46 ||
      code === 69 ||
      code === 101;
    if (!isPart) break;
    index += 1;
  }
  return index;
}

function literalEnd(text: string, from: number): number {
  let index = from;
  while (index < text.length && text.charCodeAt(index) >= 97 && text.charCodeAt(index) <= 122)
    index += 1;
  return index;
}

/** Length of the escape at this backslash; 0 when the window cuts it, -1 when JSON knows none. */
function escapeLength(text: string, index: number, isLast: boolean): number {
  if (index + 1 >= text.length) return 0;
  const code = text.charCodeAt(index + 1);
  if (code !== 117) return isSimpleEscape[code] === 1 ? 2 : -1;
  for (let digit = index + 2; digit < index + 6; digit += 1) {
    if (digit >= text.length) return isLast ? -1 : 0;
    if (!isHex(text.charCodeAt(digit))) return -1;
  }
  return 6;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

function escapeControl(code: number): string {
  return controlEscapes[code] ?? `\\u00${code.toString(16).padStart(2, '0')}`;
}
