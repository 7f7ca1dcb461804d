import type { MarkerSet } from './markers.ts';
import { skipSpace } from './whitespace.ts';

/**
 * The input that is not used up yet, with a cursor, and the used text that someone may read
 * again. Places in the whole input are offsets, places in the window indices.
 */
export class TextWindow {
  /** The window: input from offset `base` on. */
  text: string;
  /** The cursor in the window. */
  pos = 0;
  /** True once no more input can come. */
  isLast: boolean;
  #base = 0;
  /** Used text before the window, from `keptFrom` on, in pieces. */
  #kept: string[] = [];
  #keptFrom = -1;
  /** How many pieces at the end were not joined yet. */
  #loose = 0;

  constructor(text = '', isLast = false) {
    this.text = text;
    this.isLast = isLast;
  }

  /** Offset of the cursor in the whole input. */
  get offset(): number {
    return this.#base + this.pos;
  }

  /** Adds input, after giving up what lies before the cursor. */
  append(input: string): void {
    const { text, pos } = this;
    if (pos === 0) this.text = text + input;
    else {
      if (this.#keptFrom >= 0)
        this.#keep(text.slice(Math.max(0, this.#keptFrom - this.#base), pos));
      this.#base += pos;
      this.text = pos === text.length ? input : text.slice(pos) + input;
      this.pos = 0;
    }
  }

  /** Many small pieces are joined, so that a long stream does not leave a million of them. */
  #keep(piece: string): void {
    this.#loose += 1;
    this.#kept.push(piece);
    if (this.#loose < 1000) return;
    this.#kept.push(this.#kept.splice(-this.#loose).join(''));
    this.#loose = 0;
  }

  /** Keeps the text from here on, so that it can be read again or reported. */
  keepFrom(offset: number): void {
    this.#kept = offset < this.#base && this.#keptFrom >= 0 ? [this.#cutKept(offset)] : [];
    this.#keptFrom = offset;
    this.#loose = 0;
  }

  /** Nothing needs to be kept any more. */
  release(): void {
    this.#kept = [];
    this.#loose = 0;
    this.#keptFrom = -1;
  }

  /** The kept text between an offset and the cursor (or another offset). */
  since(offset: number, end: number = this.offset): string {
    const base = this.#base;
    const inWindow = this.text.slice(Math.max(0, offset - base), Math.max(0, end - base));
    if (offset >= base) return inWindow;
    const { index, from } = this.#placeInKept(offset);
    return (
      this.#kept
        .slice(index)
        .join('')
        .slice(offset - from, end - from) + inWindow
    );
  }

  /** Puts the cursor back to a kept offset. */
  rewind(offset: number): void {
    this.pos = Math.max(0, offset - this.#base);
    if (offset >= this.#base) return;
    this.text = this.#cutKept(offset) + this.text;
    this.#base = offset;
  }

  /** The character at the cursor, or nothing at the end of the window. */
  get character(): string {
    return this.text.charAt(this.pos);
  }

  /** Skips white space; false when the window ended first. */
  skipSpace(): boolean {
    this.pos = skipSpace(this.text, this.pos);
    return this.pos < this.text.length;
  }

  /** The marker at the cursor; null: there is none, undefined: the window cuts what may be one. */
  match(markers: MarkerSet): string | null | undefined {
    return markers.match(this.text, this.pos, this.isLast);
  }

  /** Moves the cursor to the next marker, or to the end; the result is that of `match`. */
  seek(markers: MarkerSet): string | null | undefined {
    this.pos = markers.seek(this.text, this.pos, this.isLast);
    return this.match(markers);
  }

  /** Whether the kept text between an offset and the cursor holds one of these markers. */
  holds(markers: MarkerSet, offset: number): boolean {
    const text = this.since(offset);
    return markers.seek(text, 0, true) < text.length;
  }

  #cutKept(offset: number): string {
    const { index, from } = this.#placeInKept(offset);
    this.#loose = 0;
    const cut = this.#kept.splice(index).join('');
    this.#kept.push(cut.slice(0, offset - from));
    return cut.slice(offset - from);
  }

  /** The kept piece in which an offset lies, counted from the end: recent text is asked for most. */
  #placeInKept(offset: number): { index: number; from: number } {
    let index = this.#kept.length;
    let from = this.#base;
    while (from > offset && index > 0) {
      index -= 1;
      from -= this.#kept[index]?.length ?? 0;
    }
    return { index, from };
  }
}
