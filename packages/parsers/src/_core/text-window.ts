import type { MarkerSet } from './markers.ts';
import { addPiece } from './pieces.ts';
import { skipSpace } from './whitespace.ts';

/**
 * The input that is not used up yet, with a cursor, and the used text, which may be read again.
 * Places in the whole input are offsets, places in the window indices.
 */
export class TextWindow {
  /** The window: input from offset `base` on. */
  text: string;
  /** The cursor in the window. */
  pos = 0;
  /** True once no more input can come. @internal */
  isLast: boolean;
  #base = 0;
  /** The text before the window, in pieces. */
  readonly #used: string[] = [];

  constructor(text = '', isLast = false) {
    this.text = text;
    this.isLast = isLast;
  }

  /** Offset of the cursor in the whole input. */
  get offset(): number {
    return this.#base + this.pos;
  }

  /** Adds input; the window begins at the cursor then. @internal */
  append(input: string): void {
    const { text, pos } = this;
    addPiece(this.#used, text.slice(0, pos));
    this.#base += pos;
    this.text = text.slice(pos) + input;
    this.pos = 0;
  }

  /** The text between an offset and the cursor (or another offset). Recent text is asked for most. */
  since(offset: number, end: number = this.offset): string {
    // Asked for nothing, as at every chunk of a long number: the way back is as long as the text.
    if (offset >= end) return '';
    let { text } = this;
    let base = this.#base;
    for (let index = this.#used.length; base > offset; ) {
      const piece = this.#used[--index] ?? '';
      text = piece + text;
      base -= piece.length;
    }
    return text.slice(offset - base, end - base);
  }

  /** Puts the cursor back to an offset. */
  rewind(offset: number): void {
    while (this.#base > offset) {
      const piece = this.#used.pop() ?? '';
      // Not more than is asked for: a window that grew at every step back would make them dearer and dearer.
      const from = Math.max(0, piece.length - this.#base + offset);
      if (from > 0) this.#used.push(piece.slice(0, from));
      this.text = piece.slice(from) + this.text;
      this.#base -= piece.length - from;
    }
    this.pos = offset - this.#base;
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

  /** Moves the cursor to the next marker, or to the end; the result is that of `match`. @internal */
  seek(markers: MarkerSet): string | null | undefined {
    const { text, isLast } = this;
    for (let from = this.pos; ; from = this.pos + 1) {
      this.pos = markers.next(text, from);
      const marker = markers.match(text, this.pos, isLast);
      if (marker !== null || this.pos >= text.length) return marker;
    }
  }

  /** Whether the text between an offset and the cursor holds one of these markers. @internal */
  holds(markers: MarkerSet, offset: number): boolean {
    return new TextWindow(this.since(offset), true).seek(markers) !== null;
  }
}
