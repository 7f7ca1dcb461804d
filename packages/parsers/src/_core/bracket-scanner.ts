/** `more`: the window is used up; `done`: the cursor stands behind the closing bracket. */
export type BracketStatus = 'more' | 'done';

/**
 * Finds the end of Python text in brackets at any chunking, with an eye on its strings only: a
 * bracket inside a string closes nothing.
 */
export class BracketScanner {
  private depth = 0;
  /** The quotes that end the string being read; empty outside of strings. */
  private quote = '';

  /** Begins behind the opening bracket. */
  begin(): void {
    this.depth = 1;
    this.quote = '';
  }

  get isInString(): boolean {
    return this.quote !== '';
  }

  scan(window: { readonly text: string; pos: number; readonly isLast: boolean }): BracketStatus {
    const { text, isLast } = window;
    let index = window.pos;
    while (index < text.length && this.depth > 0) {
      const next =
        this.quote === '' ? this.plain(text, index, isLast) : this.string(text, index, isLast);
      if (next < 0) break;
      index = next;
    }
    window.pos = index;
    return this.depth === 0 ? 'done' : 'more';
  }

  /** Next index; -1 when the window cuts what stands here. */
  private plain(text: string, index: number, isLast: boolean): number {
    const code = text.charCodeAt(index);
    if (code === 34 || code === 39) return this.openString(text, index, isLast);
    if (code === 40 || code === 91 || code === 123) this.depth += 1;
    else if (code === 41 || code === 93 || code === 125) this.depth -= 1;
    return index + 1;
  }

  private openString(text: string, index: number, isLast: boolean): number {
    const quote = text.charAt(index);
    const isDouble = text.charAt(index + 1) === quote;
    if (index + 1 >= text.length || (isDouble && index + 2 >= text.length)) {
      if (!isLast) return -1;
    }
    if (!isDouble) {
      this.quote = quote;
      return index + 1;
    }
    if (text.charAt(index + 2) !== quote) return index + 2;
    this.quote = quote.repeat(3);
    return index + 3;
  }

  private string(text: string, from: number, isLast: boolean): number {
    const end = this.quote.charCodeAt(0);
    let index = from;
    while (index < text.length) {
      const code = text.charCodeAt(index);
      if (code === 92) {
        if (index + 1 >= text.length) return isLast ? text.length : index > from ? index : -1;
        index += 2;
      } else if (code === end) return this.closeString(text, index, from, isLast);
      else index += 1;
    }
    return index;
  }

  private closeString(text: string, index: number, from: number, isLast: boolean): number {
    if (text.startsWith(this.quote, index)) {
      const { length } = this.quote;
      this.quote = '';
      return index + length;
    }
    const isCut = !isLast && this.quote.startsWith(text.slice(index));
    if (isCut) return index > from ? index : -1;
    return index + 1;
  }
}
