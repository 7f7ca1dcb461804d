import { MarkerSet } from '../markers.ts';
import { plainTextEnd } from './quoted-text.ts';

/**
 * `more`: the window is used up; `done`: the cursor stands behind the closing bracket; `error`:
 * a bracket of the wrong kind, or a marker outside of strings.
 */
export type BracketStatus = 'more' | 'done' | 'error';

const none = new MarkerSet([]);

/**
 * Finds the end of Python text in brackets at any chunking, with an eye on its strings only: a
 * bracket inside a string closes nothing.
 */
export class BracketScanner {
  /** Closing characters of the open brackets, outermost first. */
  private readonly closers: number[] = [];
  /** The quotes that end the string being read; empty outside of strings. */
  private quote = '';
  private isError = false;
  /** What cannot stand outside of strings, and quotes of the format's own. */
  private readonly special: MarkerSet;
  private readonly ownQuote: string;

  /**
   * `ownQuote` is a delimiter of strings without escapes, such as `<escape>`; it is one of the
   * special markers, which begin with `<`. All others are an error outside of strings.
   */
  constructor(special: MarkerSet = none, ownQuote = '') {
    this.special = special;
    this.ownQuote = ownQuote;
  }

  /** Begins behind the opening bracket that this character closes. */
  begin(closer: string): void {
    this.closers.length = 0;
    this.closers.push(closer.charCodeAt(0));
    this.quote = '';
    this.isError = false;
  }

  get isInString(): boolean {
    return this.quote !== '';
  }

  scan(window: { readonly text: string; pos: number; readonly isLast: boolean }): BracketStatus {
    const { text, isLast } = window;
    let index = window.pos;
    while (index < text.length && this.closers.length > 0 && !this.isError) {
      const next =
        this.quote === '' ? this.plain(text, index, isLast) : this.string(text, index, isLast);
      if (next < 0) break;
      index = next;
    }
    window.pos = index;
    if (this.isError) return 'error';
    return this.closers.length === 0 ? 'done' : 'more';
  }

  /** Next index; -1 when the window cuts what stands here. */
  private plain(text: string, index: number, isLast: boolean): number {
    const code = text.charCodeAt(index);
    if (code === 34 || code === 39) return this.openString(text, index, isLast);
    if (code === 40) this.closers.push(41);
    else if (code === 91 || code === 123) this.closers.push(code + 2);
    else if (code === 41 || code === 93 || code === 125) this.isError = this.closers.pop() !== code;
    else if (code === 60) return this.openSpecial(text, index, isLast);
    return index + 1;
  }

  private openSpecial(text: string, index: number, isLast: boolean): number {
    const special = this.special.match(text, index, isLast);
    if (special === undefined) return -1;
    const isQuote = special !== null && special === this.ownQuote;
    this.isError = special !== null && !isQuote;
    if (isQuote) this.quote = special;
    return index + (isQuote ? special.length : 1);
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
    if (this.quote === this.ownQuote) return this.ownString(text, from, isLast);
    const end = this.quote.charCodeAt(0);
    const index = plainTextEnd(text, from, end);
    if (index >= text.length) return index;
    if (text.charCodeAt(index) === end) return this.closeString(text, index, from, isLast);
    if (index + 1 < text.length) return index + 2;
    return isLast ? text.length : index > from ? index : -1;
  }

  private ownString(text: string, from: number, isLast: boolean): number {
    const { length } = this.quote;
    const end = text.indexOf(this.quote, from);
    if (end >= 0) this.quote = '';
    if (end >= 0 || isLast) return end < 0 ? text.length : end + length;
    const certain = text.length - length + 1;
    return certain > from ? certain : -1;
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
