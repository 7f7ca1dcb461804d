import { lengthWithoutTrailingSpace, skipSpace } from './whitespace.ts';

/**
 * Joins the pieces of content around markup. White space is held until it is known what follows:
 * before markup it is dropped, after markup it stays only between content and content.
 */
export class ContentJoiner {
  text = '';
  private isStarted = false;
  private isAfterBlock = false;
  /** White space that stays if the content turns out not to be blank. */
  private committed = '';
  /** The white space run at the end, still undecided. */
  private space = '';
  /** How much of it, after a block, an end-of-turn token parts from what follows. */
  private parted = 0;

  /** Takes a piece of content and returns what is now certain. */
  add(piece: string): string {
    const end = lengthWithoutTrailingSpace(piece);
    if (end === 0) {
      this.space += piece;
      return '';
    }
    const isDropped = this.isAfterBlock && !this.isStarted;
    const lead = isDropped ? '' : this.space;
    const body = piece.slice(isDropped ? skipSpace(piece, 0) : 0, end);
    const certain = this.committed + lead + body;
    this.committed = '';
    this.space = piece.slice(end);
    this.parted = 0;
    this.isStarted = true;
    this.isAfterBlock = false;
    this.text += certain;
    return certain;
  }

  /** A call or reasoning block begins here: the white space before it is markup. */
  block(): string {
    const space = this.isStarted ? this.space.slice(0, this.parted) : '';
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
    this.parted = this.space.length;
    return '';
  }

  /** The text ends here. */
  end(): string {
    return this.isAfterBlock ? '' : this.commit(this.space);
  }

  /** Whether only white space has been seen so far. */
  get isBlank(): boolean {
    return !this.isStarted && !this.isAfterBlock;
  }

  /** Nothing but white space since the last line break, block or the start. */
  get isAtLineStart(): boolean {
    return !this.isStarted || this.isAfterBlock || this.space.includes('\n');
  }

  private commit(space: string): string {
    this.space = '';
    this.parted = 0;
    if (!this.isStarted) {
      this.committed += space;
      return '';
    }
    this.text += space;
    return space;
  }
}

/** Joins reasoning spans: each one trimmed, blank ones left out, a line feed between two. */
export class ReasoningJoiner {
  text = '';
  private isSpanStarted = false;
  private space = '';

  add(piece: string): string {
    const start = this.isSpanStarted ? 0 : skipSpace(piece, 0);
    const end = lengthWithoutTrailingSpace(piece);
    if (end <= start) {
      if (this.isSpanStarted) this.space += piece;
      return '';
    }
    const lead = this.isSpanStarted ? this.space : this.text === '' ? '' : '\n';
    const certain = lead + piece.slice(start, end);
    this.isSpanStarted = true;
    this.space = piece.slice(end);
    this.text += certain;
    return certain;
  }

  endSpan(): void {
    this.isSpanStarted = false;
    this.space = '';
  }
}
