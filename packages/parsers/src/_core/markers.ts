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
  readonly #isFirst = new Uint8Array(128);
  readonly #onlyFirst: string | undefined;

  constructor(entries: readonly MarkerEntry<T>[]) {
    const sorted = [...entries].sort((one, two) => two.text.length - one.text.length);
    for (const entry of sorted) {
      const code = entry.text.charCodeAt(0);
      this.#isFirst[code] = 1;
      this.#byFirst.set(code, [...(this.#byFirst.get(code) ?? []), entry]);
    }
    if (this.#byFirst.size === 1) this.#onlyFirst = sorted[0]?.text.charAt(0);
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
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 128 ? this.#isFirst[code] === 1 : this.#byFirst.has(code)) return index;
    }
    return text.length;
  }
}

/** A set of markers that all mean themselves. */
export function markersOf(texts: readonly string[]): MarkerSet<string> {
  return new MarkerSet(texts.map((text) => ({ text, value: text })));
}

function isCut(text: string, index: number, marker: string): boolean {
  return text.length - index < marker.length && marker.startsWith(text.slice(index));
}
