import { lengthWithoutTrailingSpace, skipSpace } from './whitespace.ts';

/**
 * Joins the pieces of text around markup. White space is held until it is known what follows:
 * before markup it is dropped, after markup it stays only between text and text.
 */
export class TextJoiner {
  text = '';
  isStarted = false;
  isAfterBlock: boolean;
  /** The white space run at the end, still undecided. */
  space = '';
  /** White space that stays if more than white space follows. */
  committed = '';
  /** How much of the run, after a block, an end-of-turn token parts from what follows. */
  #parted = 0;
  readonly #separator: string | undefined;

  /** With a separator, it takes the place of all white space around a block. */
  constructor(separator?: string) {
    this.#separator = separator;
    this.isAfterBlock = separator !== undefined;
  }

  /** Takes a piece of text and returns what is now certain. */
  add(piece: string): string {
    const end = lengthWithoutTrailingSpace(piece);
    if (end === 0) {
      this.space += piece;
      return '';
    }
    const joint = this.isStarted ? this.#separator : '';
    const isJoined = this.isAfterBlock && joint !== undefined;
    const lead = isJoined ? joint : this.space;
    const certain = this.committed + lead + piece.slice(isJoined ? skipSpace(piece, 0) : 0, end);
    this.isStarted = true;
    this.isAfterBlock = false;
    this.text += certain;
    this.committed = '';
    this.space = piece.slice(end);
    return certain;
  }

  /** A call or reasoning block begins here: the white space before it is markup. */
  block(): string {
    const space = this.isStarted ? this.space.slice(0, this.#parted) : '';
    this.isAfterBlock = true;
    return this.commit(space);
  }

  /** A stray marker was cut out here. */
  stray(): string {
    const space = this.isAfterBlock && !this.isStarted ? '' : this.space;
    this.isAfterBlock = false;
    return this.commit(space);
  }

  /** An end-of-turn token was cut out here. */
  endOfTurn(): string {
    if (!this.isAfterBlock) return this.commit(this.space);
    this.#parted = this.space.length;
    return '';
  }

  /** The text ends here. */
  end(): string {
    return this.isAfterBlock || this.committed !== '' ? '' : this.commit(this.space);
  }

  /** Decides on the white space that was held: this much of it stays. */
  commit(space: string): string {
    this.space = '';
    this.#parted = 0;
    if (!this.isStarted) {
      this.committed += space;
      return '';
    }
    this.text += space;
    return space;
  }
}
