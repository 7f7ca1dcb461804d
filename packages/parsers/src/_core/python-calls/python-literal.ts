import { PythonScalars } from './python-scalars.ts';

/** The Python literal as compact JSON, or null when the text is none that JSON can carry. */
export function pythonLiteral(text: string, maxDepth: number): string | null {
  const reader = new PythonReader(text, maxDepth);
  const json = reader.value();
  return json !== null && reader.skip() === text.length ? json : null;
}

const bareKey = /[^\s:={}[\](),"'<>]+/y;
const closers: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** A bracket that is open. Braces are a set until a colon shows that they are a dictionary. */
interface OpenBracket {
  readonly closer: string;
  /** Index of its own piece of the text being made, and of the first piece of the current item. */
  readonly piece: number;
  item: number;
  count: number;
  isDictionary: boolean;
  isAtKey: boolean;
}

/**
 * Reads Python literals from a text that is complete, to any depth that is allowed: open brackets
 * are kept in a list, not on the call stack, and each character is copied once.
 */
export class PythonReader extends PythonScalars {
  /** An equals sign stood where a colon belongs. */
  isRepaired = false;
  readonly #maxDepth: number;
  readonly #open: OpenBracket[] = [];
  #pieces: string[] = [];

  /** With a quote of the format's own, which knows no escapes, keys of dictionaries are bare words. */
  constructor(text: string, maxDepth: number, ownQuote = '') {
    super(text, 0, ownQuote);
    this.#maxDepth = maxDepth;
  }

  /** The value at the cursor as compact JSON; null when it is none. */
  value(): string | null {
    if (!this.#isBracket()) return this.scalar();
    this.#open.length = 0;
    this.#pieces = [];
    do {
      if (!this.#readItem()) return null;
    } while (this.#open.length > 0);
    return this.#pieces.join('');
  }

  /** The key of a dictionary as JSON. */
  key(): string | null {
    return this.#bareKey() ?? this.value();
  }

  colon(): boolean {
    if (this.take(':')) return true;
    const isEquals = this.ownQuote !== '' && this.take('=');
    if (isEquals) this.isRepaired = true;
    return isEquals;
  }

  /** The members of the dictionary literal at the cursor, keys as JSON strings. */
  dictionary(): (readonly [string, string])[] | null {
    if (!this.take('{')) return null;
    const members: (readonly [string, string])[] = [];
    let isNext = true;
    while (!this.take('}')) {
      const key = isNext ? this.key() : null;
      const name = key === null ? null : keyText(key);
      const value = name !== null && this.colon() ? this.value() : null;
      if (name === null || value === null) return null;
      members.push([name, value]);
      isNext = this.take(',');
    }
    return members;
  }

  #isBracket(): boolean {
    return closers[this.text.charAt(this.skip())] !== undefined;
  }

  #bareKey(): string | null {
    this.skip();
    const bare = this.ownQuote === '' ? null : this.match(bareKey);
    return bare === null ? null : JSON.stringify(bare);
  }

  /** Reads the item at the cursor, or opens its bracket; false when there is none. */
  #readItem(): boolean {
    const bare = this.#open.at(-1)?.isAtKey === true ? this.#bareKey() : null;
    if (bare === null && this.#isBracket()) return this.#openBracket();
    const json = bare ?? this.scalar();
    if (json === null) return false;
    this.#pieces.push(json);
    return this.#endItem();
  }

  #openBracket(): boolean {
    if (this.#open.length >= this.#maxDepth) return false;
    const character = this.text.charAt(this.pos);
    const closer = closers[character] ?? '';
    const piece = this.#pieces.length;
    this.pos += 1;
    this.#pieces.push(character === '{' ? '{' : '[');
    const bracket: OpenBracket = {
      closer,
      piece,
      item: piece + 1,
      count: 0,
      isDictionary: character === '{',
      isAtKey: character === '{',
    };
    this.#open.push(bracket);
    if (!this.take(closer)) return true;
    this.#endBracket(bracket, false);
    return this.#endItem();
  }

  /** Behind an item: what follows it, in its bracket and in those that end here. */
  #endItem(): boolean {
    for (;;) {
      const bracket = this.#open.at(-1);
      if (bracket === undefined) return true;
      if (bracket.isAtKey && this.colon()) return this.#endKey(bracket);
      if (bracket.isAtKey && bracket.count > 0) return false;
      if (bracket.isAtKey) this.#becomeSet(bracket);
      bracket.count += 1;
      const hasComma = this.take(',');
      if (!this.take(bracket.closer)) return hasComma && this.#beginItem(bracket);
      this.#endBracket(bracket, hasComma);
    }
  }

  #beginItem(bracket: OpenBracket): true {
    this.#pieces.push(',');
    bracket.item = this.#pieces.length;
    bracket.isAtKey = bracket.isDictionary;
    return true;
  }

  #endKey(bracket: OpenBracket): boolean {
    const key = keyText(this.#pieces.splice(bracket.item).join(''));
    if (key === null) return false;
    this.#pieces.push(key, ':');
    bracket.isAtKey = false;
    return true;
  }

  /** A set becomes an array. */
  #becomeSet(bracket: OpenBracket): void {
    this.#pieces[bracket.piece] = '[';
    bracket.isDictionary = false;
    bracket.isAtKey = false;
  }

  /** `(1)` is only a value in brackets; `(1,)` is a tuple. */
  #endBracket({ closer, piece, count, isDictionary }: OpenBracket, hasComma: boolean): void {
    const isOnlyValue = closer === ')' && count === 1 && !hasComma;
    if (isOnlyValue) this.#pieces[piece] = '';
    this.#pieces.push(isOnlyValue ? '' : isDictionary ? '}' : ']');
    this.#open.pop();
  }
}

/** The JSON of a key as the string that JSON wants there; null for a list or a dictionary. */
function keyText(json: string): string | null {
  if (json.startsWith('[') || json.startsWith('{')) return null;
  return json.startsWith('"') ? json : JSON.stringify(json);
}
