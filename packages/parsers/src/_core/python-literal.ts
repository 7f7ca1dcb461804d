import { plainTextEnd } from './quoted-text.ts';
import { isSpace } from './whitespace.ts';

/** The Python literal as compact JSON, or null when the text is none that JSON can carry. */
export function pythonLiteral(text: string): string | null {
  const reader = new PythonReader(text, 0);
  const json = reader.value(0);
  return json !== null && reader.skip() === text.length ? json : null;
}

const numberForm =
  /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;
const bareKey = /[^\s:={}[\](),"'<>]+/y;
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
const maxDepth = 1000;

type Items = Readonly<{ values: string[]; endsWithComma: boolean }>;

/** Reads Python literals from a text that is complete; every method leaves `pos` behind what it read. */
export class PythonReader {
  readonly text: string;
  pos: number;
  /** An equals sign stood where a colon belongs. */
  isRepaired = false;
  private readonly ownQuote: string;

  /** With a quote of the format's own, which knows no escapes, keys of dictionaries are bare words. */
  constructor(text: string, pos: number, ownQuote = '') {
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

  /** The key of a dictionary as JSON. */
  key(depth: number): string | null {
    this.skip();
    const bare = this.ownQuote === '' ? null : this.match(bareKey);
    return bare === null ? this.value(depth) : JSON.stringify(bare);
  }

  colon(): boolean {
    if (this.take(':')) return true;
    const isEquals = this.ownQuote !== '' && this.take('=');
    if (isEquals) this.isRepaired = true;
    return isEquals;
  }

  value(depth: number): string | null {
    if (depth > maxDepth) return null;
    switch (this.text.charAt(this.skip())) {
      case '[':
        return this.sequence(']', depth);
      case '(':
        return this.tuple(depth);
      case '{':
        return this.braces(depth);
      case '-':
      case '+':
        return this.signed();
      default:
        return this.scalar();
    }
  }

  private match(form: RegExp): string | null {
    form.lastIndex = this.pos;
    const found = form.exec(this.text)?.[0] ?? null;
    if (found !== null) this.pos += found.length;
    return found;
  }

  private sequence(end: string, depth: number): string | null {
    this.pos += 1;
    const items = this.items(end, depth, []);
    return items === null ? null : `[${items.values.join(',')}]`;
  }

  /** `(1)` is only a value in brackets; `(1,)` is a tuple. */
  private tuple(depth: number): string | null {
    this.pos += 1;
    const items = this.items(')', depth, []);
    if (items === null) return null;
    const [only] = items.values;
    if (items.values.length === 1 && only !== undefined && !items.endsWithComma) return only;
    return `[${items.values.join(',')}]`;
  }

  /** The items up to the end, after those that were read already. */
  private items(end: string, depth: number, values: string[]): Items | null {
    let endsWithComma = values.length > 0 && this.take(',');
    while (!this.take(end)) {
      if (values.length > 0 && !endsWithComma) return null;
      const value = this.value(depth + 1);
      if (value === null) return null;
      values.push(value);
      endsWithComma = this.take(',');
    }
    return { values, endsWithComma };
  }

  /** A dictionary, or a set, which becomes an array. */
  private braces(depth: number): string | null {
    this.pos += 1;
    if (this.take('}')) return '{}';
    const first = this.key(depth + 1);
    if (first === null) return null;
    if (!this.colon()) {
      const items = this.items('}', depth, [first]);
      return items === null ? null : `[${items.values.join(',')}]`;
    }
    const members = this.members(first, depth);
    return members === null
      ? null
      : `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`;
  }

  /** The members of the dictionary literal at the cursor, keys as JSON strings. */
  dictionary(depth: number): (readonly [string, string])[] | null {
    if (!this.take('{')) return null;
    if (this.take('}')) return [];
    const first = this.key(depth + 1);
    return first !== null && this.colon() ? this.members(first, depth) : null;
  }

  /** From behind the colon of the first key on. */
  private members(firstKey: string, depth: number): (readonly [string, string])[] | null {
    const members: (readonly [string, string])[] = [];
    let key: string | null = firstKey;
    for (;;) {
      const value: string | null = key === null ? null : this.value(depth + 1);
      if (key === null || value === null || key.startsWith('[') || key.startsWith('{')) return null;
      members.push([key.startsWith('"') ? key : JSON.stringify(key), value]);
      const hasComma = this.take(',');
      if (this.take('}')) return members;
      key = hasComma ? this.key(depth + 1) : null;
      if (!this.colon()) return null;
    }
  }

  private signed(): string | null {
    const sign = this.text.charAt(this.pos) === '-' ? '-' : '';
    this.pos += 1;
    const number = this.number();
    return number === null ? null : sign + number;
  }

  private scalar(): string | null {
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
    if (/^0[xXoObB]/.test(found)) return BigInt(found).toString();
    if (/^0\d/.test(found) && !/[.eE]/.test(found)) return null;
    if (!Number.isFinite(Number(found))) return null;
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
    const found = form.exec(this.text);
    const code =
      found === null ? Number.NaN : Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16);
    const octal = found?.[4];
    this.pos += found?.[0].length ?? 1;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return code <= 0x10ffff ? fromCode(code) : '\\';
  }
}

function fromCode(code: number): string {
  return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}
