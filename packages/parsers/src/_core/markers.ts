/**
 * Finds the markers that are legal in one state. Immutable, shared by all parses of a format.
 * The longest marker wins; what the end of the window cuts is a place to wait at.
 */
export class MarkerSet {
  /** The longest first. */
  readonly #markers: readonly string[];
  /** Any first character of a marker. */
  readonly #first: RegExp;

  constructor(markers: readonly string[]) {
    this.#markers = [...markers].sort((one, two) => two.length - one.length);
    const firsts = markers.map((marker) => marker.charAt(0)).join('');
    this.#first = new RegExp(`[${firsts.replace(/\W/g, '\\$&')}]`, 'g');
  }

  /** The marker at this index; null: none, undefined: the window cuts one. */
  match(text: string, index: number, isLast: boolean): string | null | undefined {
    if (index >= text.length) return isLast ? null : undefined;
    for (const marker of this.#markers) {
      if (text.startsWith(marker, index)) return marker;
      const isCut = !isLast && index + marker.length > text.length;
      if (isCut && marker.startsWith(text.slice(index))) return undefined;
    }
    return null;
  }

  /** Index of the next character that may begin a marker; the length when there is none. @internal */
  next(text: string, from: number): number {
    const first = this.#first;
    first.lastIndex = from;
    return first.test(text) ? first.lastIndex - 1 : text.length;
  }
}
