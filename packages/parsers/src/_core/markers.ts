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
    const first = markers.map((marker) => marker.charAt(0)).join('');
    this.#first = new RegExp(`[${first.replace(/\W/g, '\\$&')}]`, 'g');
  }

  /** The marker at this index; null: none, undefined: the window cuts one. */
  match(text: string, index: number, isLast: boolean): string | null | undefined {
    if (index >= text.length) return isLast ? null : undefined;
    for (const marker of this.#markers) {
      if (text.startsWith(marker, index)) return marker;
      const isCut = !isLast && text.length - index < marker.length;
      if (isCut && marker.startsWith(text.slice(index))) return undefined;
    }
    return null;
  }

  /** Index of the next marker or of a possible one that the window cuts; the length when neither. */
  seek(text: string, from: number, isLast: boolean): number {
    const first = this.#first;
    for (first.lastIndex = from; first.test(text); ) {
      const index = first.lastIndex - 1;
      if (this.match(text, index, isLast) !== null) return index;
      first.lastIndex = index + 1;
    }
    return text.length;
  }
}
