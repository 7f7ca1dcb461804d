import { lengthWithoutTrailingSpace, skipSpace } from './whitespace.ts';

/**
 * Joins the pieces of text around markup. White space is held until it is known what follows:
 * before markup it is dropped, after markup it stays only between text and text.
 */
export class TextJoiner {
  text = '';
  #isStarted = false;
  #isAfterBlock: boolean;
  /** White space that stays if the text turns out not to be blank. */
  #committed = '';
  /** The white space run at the end, still undecided. */
  #space = '';
  /** How much of it, after a block, an end-of-turn token parts from what follows. */
  #parted = 0;
  /** Behind an opening tag of the answer: white space that comes now belongs to the tag. */
  #isBehindOpening = false;
  /** Line feed before the next text, when a message ended before it. */
  #joint = '';
  readonly #separator: string | undefined;

  /** With a separator, it takes the place of all white space around a block. */
  constructor(separator?: string) {
    this.#separator = separator;
    this.#isAfterBlock = separator !== undefined;
  }

  /** Takes a piece of text and returns what is now certain. */
  add(given: string): string {
    const piece = this.#isBehindOpening ? given.slice(skipSpace(given, 0)) : given;
    this.#isBehindOpening &&= piece === '';
    const end = lengthWithoutTrailingSpace(piece);
    if (end === 0) {
      this.#space += piece;
      return '';
    }
    const separator = this.#separator;
    const space = this.#space;
    const isTrimmed = this.#isAfterBlock && (!this.#isStarted || separator !== undefined);
    const lead = isTrimmed ? (this.#isStarted && separator) || '' : space;
    const certain =
      this.#committed + this.#joint + lead + piece.slice(isTrimmed ? skipSpace(piece, 0) : 0, end);
    this.#isStarted = true;
    this.#isAfterBlock = false;
    this.text += certain;
    this.#committed = '';
    this.#joint = '';
    this.#space = piece.slice(end);
    return certain;
  }

  /** A call or reasoning block begins here: the white space before it is markup. */
  block(): string {
    const space = this.#isStarted ? this.#space.slice(0, this.#parted) : '';
    this.#isAfterBlock = true;
    return this.#commit(space);
  }

  /** A stray marker was cut out here. */
  stray(): string {
    const space = this.#isAfterBlock && !this.#isStarted ? '' : this.#space;
    this.#isAfterBlock = false;
    return this.#commit(space);
  }

  /** An end-of-turn token was cut out here. */
  endOfTurn(): string {
    if (!this.#isAfterBlock) return this.#commit(this.#space);
    this.#parted = this.#space.length;
    return '';
  }

  /** An opening tag around the answer was cut out here. */
  openAnswer(): string {
    const certain = this.stray();
    this.#isBehindOpening = true;
    return certain;
  }

  /** A closing tag around the answer was cut out here, with the white space before it. */
  closeAnswer(): string {
    return this.#commit('');
  }

  /** A message ends here: one line feed parts it from the next one that is not blank. */
  endMessage(): string {
    const isBlank = !this.#isStarted || this.#joint !== '';
    const certain = this.#commit(isBlank || this.#isAfterBlock ? '' : this.#space);
    this.#committed = '';
    this.#joint = this.#isStarted ? '\n' : '';
    this.#isAfterBlock = false;
    return certain;
  }

  /** The text ends here. */
  end(): string {
    return this.#isAfterBlock || this.#joint !== '' ? '' : this.#commit(this.#space);
  }

  /** Whether only white space has been seen so far. */
  get isBlank(): boolean {
    return !this.#isStarted && !this.#isAfterBlock;
  }

  /** Nothing but white space since the last line break, block or the start. */
  get isAtLineStart(): boolean {
    return !this.#isStarted || this.#isAfterBlock || this.#space.includes('\n');
  }

  #commit(space: string): string {
    this.#space = '';
    this.#parted = 0;
    this.#isBehindOpening = false;
    if (!this.#isStarted) {
      this.#committed += space;
      return '';
    }
    this.text += space;
    return space;
  }
}
