/** A marker of a format and what it stands for. */
export interface MarkerEntry<T> {
  readonly text: string;
  readonly value: T;
}

/**
 * Finds the markers that are legal in one state. Immutable, shared by all parses of a format.
 * The longest marker wins; what the end of the window cuts is a place to wait at.
 */
export class MarkerSet<T> {
  readonly #byFirst = new Map<number, MarkerEntry<T>[]>();
  /** The first character of all markers, when they share it: the fastest to look for. */
  readonly #onlyFirst: string | undefined;
  /** Any first character of a marker. */
  readonly #first: RegExp;

  constructor(entries: readonly MarkerEntry<T>[]) {
    const sorted = [...entries].sort((one, two) => two.text.length - one.text.length);
    for (const entry of sorted) {
      const code = entry.text.charCodeAt(0);
      this.#byFirst.set(code, [...(this.#byFirst.get(code) ?? []), entry]);
    }
    if (this.#byFirst.size === 1) this.#onlyFirst = sorted[0]?.text.charAt(0);
    this.#first = new RegExp(`[${[...this.#byFirst.keys()].map(escapeUnit).join('')}]`, 'g');
  }

  get isEmpty(): boolean {
    return this.#byFirst.size === 0;
  }

  /** What the marker at this index stands for; null: none, undefined: the window cuts one. */
  match(text: string, index: number, isLast: boolean): T | null | undefined {
    if (index >= text.length) return isLast ? null : undefined;
    const entries = this.#byFirst.get(text.charCodeAt(index));
    if (entries === undefined) return null;
    for (const entry of entries) {
      if (text.startsWith(entry.text, index)) return entry.value;
      if (!isLast && isCut(text, index, entry.text)) return undefined;
    }
    return null;
  }

  /** Index of the next marker or of a possible one that the window cuts; the length when neither. */
  seek(text: string, from: number, isLast: boolean): number {
    let index = this.#nextFirst(text, from);
    while (index < text.length && this.match(text, index, isLast) === null) {
      index = this.#nextFirst(text, index + 1);
    }
    return index;
  }

  #nextFirst(text: string, from: number): number {
    if (this.#onlyFirst !== undefined) {
      const found = text.indexOf(this.#onlyFirst, from);
      return found < 0 ? text.length : found;
    }
    this.#first.lastIndex = from;
    return this.#first.test(text) ? this.#first.lastIndex - 1 : text.length;
  }
}

/** A set of markers that all mean themselves. */
export function markersOf(texts: readonly string[]): MarkerSet<string> {
  return new MarkerSet(texts.map((text) => ({ text, value: text })));
}

function escapeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

function isCut(text: string, index: number, marker: string): boolean {
  return text.length - index < marker.length && marker.startsWith(text.slice(index));
}
