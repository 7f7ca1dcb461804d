import { isSpace } from '../whitespace.ts';
import { plainTextEnd } from './quoted-text.ts';

const numberForm =
  /(?:0[xX]_?[\da-fA-F][\da-fA-F_]*|0[oO]_?[0-7][0-7_]*|0[bB]_?[01][01_]*|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;
/** Python itself writes no longer integers out: it would take too long. */
const mostDigits = 4300;
const wordForm = /[\p{L}_][\p{L}\p{N}_]*/uy;
const stringStart = /[rRbBfFuU]{0,2}(?:'''|"""|'|")/y;
const words: Readonly<Record<string, string>> = {
  None: 'null',
  True: 'true',
  False: 'false',
  null: 'null',
  true: 'true',
  false: 'false',
};
const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

/** Reads those parts of Python literals that hold no others; every method leaves `pos` behind what it read. */
export class PythonScalars {
  readonly text: string;
  pos: number;
  protected readonly ownQuote: string;

  constructor(text: string, pos: number, ownQuote: string) {
    this.text = text;
    this.pos = pos;
    this.ownQuote = ownQuote;
  }

  /** Skips white space; the new position. */
  skip(): number {
    while (isSpace(this.text.charCodeAt(this.pos))) this.pos += 1;
    return this.pos;
  }

  /** Takes this character after white space, if it is there. */
  take(character: string): boolean {
    const isThere = this.text.charAt(this.skip()) === character;
    if (isThere) this.pos += 1;
    return isThere;
  }

  /** A name such as a keyword or a function's; null when there is none. */
  word(): string | null {
    this.skip();
    return this.match(wordForm);
  }

  protected match(form: RegExp): string | null {
    form.lastIndex = this.pos;
    const found = form.exec(this.text)?.[0] ?? null;
    if (found !== null) this.pos += found.length;
    return found;
  }

  private signed(): string | null {
    const sign = this.text.charAt(this.pos) === '-' ? '-' : '';
    this.pos += 1;
    const number = this.number();
    return number === null ? null : sign + number;
  }

  /** A number, a string or a word, as JSON. */
  protected scalar(): string | null {
    const first = this.text.charAt(this.skip());
    if (first === '-' || first === '+') return this.signed();
    const own = this.ownString();
    if (own !== null) return JSON.stringify(own);
    stringStart.lastIndex = this.pos;
    if (stringStart.test(this.text)) return this.strings();
    const code = this.text.charCodeAt(this.pos);
    if (code === 46 || (code >= 48 && code <= 57)) return this.number();
    const word = this.word();
    return word !== null && Object.hasOwn(words, word) ? (words[word] ?? null) : null;
  }

  /** The number as JSON spells it, exactly; null when JSON cannot carry it. */
  private number(): string | null {
    const found = this.match(numberForm)?.replaceAll('_', '');
    if (found === undefined || /[\p{L}\d.]/u.test(this.text.charAt(this.pos))) return null;
    if (/^0[xXoObB]/.test(found))
      return found.length > mostDigits ? null : BigInt(found).toString();
    const isInteger = !/[.eE]/.test(found);
    if (isInteger ? /^0\d/.test(found) : !Number.isFinite(Number(found))) return null;
    return found
      .replace(/^0+(?=\d)/, '')
      .replace(/^\./, '0.')
      .replace(/\.(?=$|[eE])/, '.0');
  }

  /** One string, or several in a row that Python joins. */
  private strings(): string | null {
    let joined = '';
    for (;;) {
      const part = this.oneString();
      if (part === null) return null;
      joined += part;
      this.skip();
      stringStart.lastIndex = this.pos;
      if (!stringStart.test(this.text)) return JSON.stringify(joined);
    }
  }

  /** The string between two quotes of the format's own; null when none begins here. */
  ownString(): string | null {
    const { text, ownQuote } = this;
    if (ownQuote === '' || !text.startsWith(ownQuote, this.skip())) return null;
    const from = this.pos + ownQuote.length;
    const end = text.indexOf(ownQuote, from);
    if (end < 0) return null;
    this.pos = end + ownQuote.length;
    return text.slice(from, end);
  }

  private oneString(): string | null {
    const start = this.match(stringStart) ?? '';
    const quote = start.replace(/^[a-zA-Z]+/, '');
    const isRaw = /[rR]/.test(start);
    const parts: string[] = [];
    let copied = this.pos;
    for (;;) {
      this.pos = plainTextEnd(this.text, this.pos, quote.charCodeAt(0));
      if (this.pos >= this.text.length) return null;
      if (this.text.startsWith(quote, this.pos)) break;
      if (this.text.charCodeAt(this.pos) !== 92) this.pos += 1;
      else if (isRaw) this.pos += 2;
      else {
        parts.push(this.text.slice(copied, this.pos), this.escape());
        copied = this.pos;
      }
    }
    parts.push(this.text.slice(copied, this.pos));
    this.pos += quote.length;
    return parts.join('');
  }

  /** An escape; one that Python does not know keeps its backslash. */
  private escape(): string {
    const next = this.text.charAt(this.pos + 1);
    const simple = Object.hasOwn(simpleEscapes, next) ? simpleEscapes[next] : undefined;
    if (simple !== undefined) {
      this.pos += 2;
      return simple;
    }
    const form = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3}))/y;
    form.lastIndex = this.pos;
    const [whole = '\\', x, u, long, octal] = form.exec(this.text) ?? [];
    const hex = x ?? u ?? long ?? '';
    const code = octal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8);
    const isKnown = code <= 0x10ffff;
    this.pos += isKnown ? whole.length : 1;
    return isKnown ? fromCode(code) : '\\';
  }
}

function fromCode(code: number): string {
  return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}
