import type { ParserEvent } from '../types.ts';
import { addPiece } from './pieces.ts';
import { lengthWithoutTrailingSpace, skipSpace } from './whitespace.ts';

type TextType = 'content' | 'reasoning';
type Sink = Readonly<{ emit(event: ParserEvent): void }>;

/**
 * Joins the pieces of text around markup. White space is held until it is known what follows:
 * before markup it is dropped, after markup it stays only between text and text.
 */
export class TextJoiner {
  /** @internal */
  isStarted = false;
  /** @internal */
  isAfterBlock: boolean;
  /** White space that stays if more than white space follows. @internal */
  committed = '';
  /** White space that, after a block, an end-of-turn token parts from what follows. */
  #parted: string[] = [];
  readonly #pieces: string[] = [];
  #spaces: string[] = [];
  readonly #sink: Sink;
  readonly #type: TextType;
  readonly #separator: string | undefined;

  /**
   * Text goes to the sink as soon as it is certain. With a separator, that takes the place of all
   * white space around a block.
   * @internal
   */
  constructor(sink: Sink, type: TextType, separator?: string) {
    this.#sink = sink;
    this.#type = type;
    this.#separator = separator;
    this.isAfterBlock = separator !== undefined;
  }

  /** @internal */
  get hasText(): boolean {
    return this.#pieces.length > 0;
  }

  /** All that is decided. */
  get text(): string {
    return this.#pieces.join('');
  }

  /** The white space run at the end, still undecided. @internal */
  get space(): string {
    return this.#parted.join('') + this.#spaces.join('');
  }

  add(piece: string): void {
    const end = lengthWithoutTrailingSpace(piece);
    if (end === 0) {
      addPiece(this.#spaces, piece);
      return;
    }
    const joint = this.isStarted ? this.#separator : '';
    const isJoined = this.isAfterBlock && joint !== undefined;
    const lead = isJoined ? joint : this.space;
    const start = isJoined ? skipSpace(piece, 0) : 0;
    const held = this.committed + lead;
    this.isStarted = true;
    this.isAfterBlock = false;
    this.committed = '';
    this.commit(held + piece.slice(start, end));
    this.#spaces.push(piece.slice(end));
  }

  /** A call or reasoning block begins here: the white space before it is markup. @internal */
  block(): void {
    this.isAfterBlock = true;
    this.commit(this.isStarted ? this.#parted.join('') : '');
  }

  /** A stray marker was cut out here. @internal */
  stray(): void {
    const isDropped = this.isAfterBlock && !this.isStarted;
    this.isAfterBlock = false;
    this.commit(isDropped ? '' : this.space);
  }

  /** An end-of-turn token was cut out here. */
  endOfTurn(): void {
    if (!this.isAfterBlock) this.commit(this.space);
    addPiece(this.#parted, this.#spaces.join(''));
    this.#spaces = [];
  }

  /** The text ends here. */
  end(): void {
    if (!this.isAfterBlock && !this.committed) this.commit(this.space);
  }

  /** Decides on the white space that was held: this much of it stays. @internal */
  commit(text: string): void {
    this.#spaces = [];
    this.#parted = [];
    if (!this.isStarted) this.committed += text;
    else if (text) {
      addPiece(this.#pieces, text);
      this.#sink.emit({ type: this.#type, text });
    }
  }
}
