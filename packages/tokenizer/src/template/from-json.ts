import { refused } from './template-failure.ts';
import { Dictionary, Float, type Value } from './values.ts';

/** A value of JSON as a value of templates. Whole numbers are integers. Absent properties are left out. */
export function fromJson(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return isWritten(value) ? BigInt(value) : new Float(value);
  if (typeof value === 'bigint') return value;
  if (Array.isArray(value)) return value.map(fromJson);
  if (value instanceof Dictionary || value instanceof Float) return value;
  if (typeof value !== 'object') throw refused(`an argument of the type ${typeof value}`);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return new Dictionary(entries.map(([key, one]) => [key, fromJson(one)]));
}

/** True for whole numbers that JSON writes without an exponent, and Python so reads as integers. */
function isWritten(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e21;
}

/** Reads JSON text without losing the order of keys, large integers, or what is a float. Null: it is no JSON. */
export function parseJsonText(text: string): { readonly value: Value } | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return { value: new JsonReader(text).read() };
}

/** Reads text that is known to be JSON. */
class JsonReader {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): Value {
    this.take(/[ \t\n\r]*/y);
    const first = this.text[this.position];
    const value =
      first === '{' ? this.readObject() : first === '[' ? this.readList() : this.readScalar();
    this.take(/[ \t\n\r]*/y);
    return value;
  }

  private readObject(): Value {
    const entries: [Value, Value][] = [];
    this.take(/\{[ \t\n\r]*/y);
    while (this.take(/\}/y) === '') {
      const key = this.read();
      this.take(/:/y);
      entries.push([key, this.read()]);
      this.take(/,[ \t\n\r]*/y);
    }
    return new Dictionary(entries);
  }

  private readList(): Value {
    const items: Value[] = [];
    this.take(/\[[ \t\n\r]*/y);
    while (this.take(/\]/y) === '') {
      items.push(this.read());
      this.take(/,/y);
    }
    return items;
  }

  private readScalar(): Value {
    const quoted = this.take(/"(?:[^"\\]|\\.)*"/y);
    if (quoted !== '') return String(JSON.parse(quoted));
    const word = this.take(/[^,\]}\s]+/y);
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    return /^-?\d+$/.test(word) ? BigInt(word) : new Float(Number(word));
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.position += found.length;
    return found;
  }
}
