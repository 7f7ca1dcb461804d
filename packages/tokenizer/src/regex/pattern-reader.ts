import { unsupported } from '../tokenizer-error.ts';

/** A pattern text with a place in it. */
export class PatternReader {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** The character here, or the empty text at the end. */
  peek(): string {
    const codePoint = this.text.codePointAt(this.position);
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
  }

  next(): string {
    const character = this.peek();
    if (character === '') throw this.refuse('that ends too early');
    this.position += character.length;
    return character;
  }

  /** Passes the text if it stands here. */
  skip(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Passes what a sticky pattern finds here. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found !== null) this.position += found[0].length;
    return found;
  }

  refuse(what: string): Error {
    return unsupported(`The regular expression ${JSON.stringify(this.text)} (${what})`);
  }
}
