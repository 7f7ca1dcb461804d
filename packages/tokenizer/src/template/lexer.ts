import { failure } from './template-failure.ts';

/** A token of a template. */
export type Token = Readonly<
  | { type: 'data' | 'name' | 'string' | 'operator'; value: string }
  | { type: 'integer'; value: bigint }
  | { type: 'float'; value: number }
  | { type: 'block_begin' | 'block_end' | 'variable_begin' | 'variable_end' | 'end'; value: '' }
>;

/** White space as Python sees it, which is not quite JavaScript's. */
export const SPACES =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
/** What ends a line for `splitlines()`. */
export const LINE_ENDS = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029';
const SPACE = new RegExp(`[${SPACES}]+`, 'y');
const TRAILING_SPACE = new RegExp(`[${SPACES}]+$`);
const BLANK = new RegExp(`^[${SPACES}]*$`);
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y;
const INTEGER =
  /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*/uy;
const STRING = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
const RAW_BEGIN = new RegExp(
  `\\{%([-+]?)[${SPACES}]*raw[${SPACES}]*(?:-%\\}[${SPACES}]*|%\\})`,
  'y',
);
const RAW_END = new RegExp(
  `([\\s\\S]*?)\\{%([-+]?)[${SPACES}]*endraw[${SPACES}]*(?:\\+%\\}|-%\\}[${SPACES}]*|%\\}\\n?)`,
  'y',
);
const COMMENT = new RegExp(`[\\s\\S]*?(?:\\+#\\}|-#\\}[${SPACES}]*|#\\}\\n?)`, 'y');
const OPERATOR = /\*\*|\/\/|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;

/** Splits a template as Jinja does with `trim_blocks` and `lstrip_blocks`. */
export function tokenize(source: string): Token[] {
  return new Lexer(source.replace(/\r\n|\r/g, '\n').replace(/\n$/, '')).tokens();
}

type Tag = '{%' | '{{' | '{#';

class Lexer {
  private readonly source: string;
  private position = 0;
  private lineStarting = true;
  private readonly found: Token[] = [];

  constructor(source: string) {
    this.source = source;
  }

  tokens(): Token[] {
    while (this.position < this.source.length) this.readData();
    this.found.push({ type: 'end', value: '' });
    return this.found;
  }

  /** Text up to the next tag, and that tag. */
  private readData(): void {
    const start = this.source.slice(this.position).search(/\{[%{#]/);
    if (start === -1) {
      this.pushData(this.source.slice(this.position));
      this.position = this.source.length;
      return;
    }
    const data = this.source.slice(this.position, this.position + start);
    this.position += start;
    const tag = this.source.slice(this.position, this.position + 2) as Tag;
    const raw = this.match(RAW_BEGIN);
    if (raw !== null) {
      this.readRaw(this.stripped(data, tag, raw[1] ?? ''));
      return;
    }
    this.position += 2;
    const sign = this.match(/[-+]?/y)?.[0] ?? '';
    this.pushData(this.stripped(data, tag, sign));
    this.lineStarting = false;
    if (tag === '{#') this.skipComment();
    else this.readTag(tag);
  }

  /** What is left of the text before a tag: `-` takes all space, blocks and comments that of their line. */
  private stripped(data: string, tag: Tag, sign: string): string {
    if (sign === '-') return data.replace(TRAILING_SPACE, '');
    if (sign === '+' || tag === '{{') return data;
    const line = data.lastIndexOf('\n') + 1;
    const atLineStart = line > 0 || this.lineStarting;
    return atLineStart && BLANK.test(data.slice(line)) ? data.slice(0, line) : data;
  }

  private pushData(data: string): void {
    if (data !== '') this.found.push({ type: 'data', value: data });
  }

  private readRaw(before: string): void {
    this.pushData(before);
    const end = this.match(RAW_END);
    if (end === null) throw failure('a raw block does not end');
    this.lineStarting = false;
    this.pushData(this.stripped(end[1] ?? '', '{%', end[2] ?? ''));
    this.lineStarting = end[0].endsWith('\n');
  }

  private skipComment(): void {
    const end = this.match(COMMENT);
    if (end === null) throw failure('a comment does not end');
    this.lineStarting = end[0].endsWith('\n');
  }

  private readTag(tag: '{%' | '{{'): void {
    const name = tag === '{%' ? 'block' : 'variable';
    this.found.push({ type: `${name}_begin`, value: '' });
    const open: string[] = [];
    for (;;) {
      const end = open.length === 0 ? this.match(TAG_ENDS[tag]) : null;
      if (end !== null) {
        this.lineStarting = end[0].endsWith('\n');
        this.found.push({ type: `${name}_end`, value: '' });
        return;
      }
      this.readToken(open);
    }
  }

  private readToken(open: string[]): void {
    if (this.match(SPACE) !== null) return;
    const token = this.literal() ?? this.operator(open);
    if (token !== null) this.found.push(token);
    else {
      const shown = this.source.slice(this.position, this.position + 10);
      throw failure(`unexpected ${JSON.stringify(shown)} in a tag`);
    }
  }

  private literal(): Token | null {
    const float = this.match(FLOAT)?.[0];
    if (float !== undefined) return { type: 'float', value: Number(float.replaceAll('_', '')) };
    const integer = this.match(INTEGER)?.[0];
    if (integer !== undefined)
      return { type: 'integer', value: BigInt(integer.replaceAll('_', '')) };
    const name = this.match(NAME)?.[0];
    if (name !== undefined) return { type: 'name', value: name };
    const quoted = this.match(STRING)?.[0];
    return quoted === undefined ? null : { type: 'string', value: unescaped(quoted.slice(1, -1)) };
  }

  private operator(open: string[]): Token | null {
    const value = this.match(OPERATOR)?.[0];
    if (value === undefined) return null;
    const closing = CLOSING[value];
    if (closing !== undefined) open.push(closing);
    else if (/[)\]}]/.test(value) && open.pop() !== value) throw failure(`unexpected "${value}"`);
    return { type: 'operator', value };
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source);
    if (found !== null) this.position += found[0].length;
    return found;
  }
}

const TAG_ENDS = {
  '{%': new RegExp(`\\+%\\}|-%\\}[${SPACES}]*|%\\}\\n?`, 'y'),
  '{{': new RegExp(`-\\}\\}[${SPACES}]*|\\}\\}`, 'y'),
};

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The escapes of Python's string literals; an unknown one stays as it is. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (whole, hex2, hex4, hex8, octal, other) => {
      const hex: string | undefined = hex2 ?? hex4 ?? hex8;
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      if (/[xuUN]/.test(other)) throw failure(`an escape that is none: ${whole}`);
      return ESCAPES[other] ?? whole;
    },
  );
}
