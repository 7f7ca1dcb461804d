/** A marker of a format and what it stands for. */
export interface MarkerEntry<T> {
  readonly text: string;
  readonly value: T;
}

/**
 * Finds the markers that are legal in one state. Immutable, shared by all parses of a format.
 * The longest marker wins; a cut marker at the end of the window is reported as a place to wait.
 */
export class MarkerSet<T> {
  readonly entries: readonly MarkerEntry<T>[];
  private readonly byFirst = new Map<number, MarkerEntry<T>[]>();
  private readonly isFirstAscii = new Uint8Array(128);
  private readonly onlyFirst: string | null;
  private readonly hasOtherFirst: boolean;

  constructor(entries: readonly MarkerEntry<T>[]) {
    this.entries = [...entries].sort((one, two) => two.text.length - one.text.length);
    for (const entry of this.entries) this.add(entry);
    const firsts = [...this.byFirst.keys()];
    this.onlyFirst = firsts.length === 1 ? String.fromCharCode(firsts[0] ?? 0) : null;
    this.hasOtherFirst = firsts.some((code) => code >= 128);
  }

  private add(entry: MarkerEntry<T>): void {
    const code = entry.text.charCodeAt(0);
    if (code < 128) this.isFirstAscii[code] = 1;
    const known = this.byFirst.get(code);
    if (known === undefined) this.byFirst.set(code, [entry]);
    else known.push(entry);
  }

  /** Index of the next marker or of a possible one that the window cuts; the length when neither. */
  seek(text: string, from: number, isLast: boolean): number {
    let index = this.nextFirst(text, from);
    while (index < text.length && !this.mayStart(text, index, isLast)) {
      index = this.nextFirst(text, index + 1);
    }
    return index;
  }

  /** The marker at this index; null when there is none, or none yet (`isCut` tells them apart). */
  at(text: string, index: number, isLast: boolean): MarkerEntry<T> | null {
    const entries = this.byFirst.get(text.charCodeAt(index));
    if (entries === undefined) return null;
    for (const entry of entries) {
      if (text.startsWith(entry.text, index)) return entry;
      if (!isLast && isCutMarker(text, index, entry.text)) return null;
    }
    return null;
  }

  /** Whether the window ends within something that may become a marker. */
  isCut(text: string, index: number): boolean {
    if (index >= text.length) return true;
    const entries = this.byFirst.get(text.charCodeAt(index));
    return entries?.some((entry) => isCutMarker(text, index, entry.text)) ?? false;
  }

  private mayStart(text: string, index: number, isLast: boolean): boolean {
    const entries = this.byFirst.get(text.charCodeAt(index));
    if (entries === undefined) return false;
    for (const entry of entries) {
      if (text.startsWith(entry.text, index)) return true;
      if (!isLast && isCutMarker(text, index, entry.text)) return true;
    }
    return false;
  }

  private nextFirst(text: string, from: number): number {
    if (this.onlyFirst !== null) {
      const found = text.indexOf(this.onlyFirst, from);
      return found < 0 ? text.length : found;
    }
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 128 ? this.isFirstAscii[code] === 1 : this.isOtherFirst(code)) return index;
    }
    return text.length;
  }

  private isOtherFirst(code: number): boolean {
    return this.hasOtherFirst && this.byFirst.has(code);
  }
}

/** A set of markers that all mean themselves. */
export function markersOf(texts: readonly string[]): MarkerSet<string> {
  return new MarkerSet(texts.map((text) => ({ text, value: text })));
}

function isCutMarker(text: string, index: number, marker: string): boolean {
  const rest = text.length - index;
  return rest < marker.length && marker.startsWith(text.slice(index));
}
