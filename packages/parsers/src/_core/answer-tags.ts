import type { CompiledFormat, CreateMachine } from './format.ts';
import { Machine } from './machine.ts';
import type { ReadOptions } from './options.ts';
import { TextJoiner } from './text-joiner.ts';
import { skipSpace } from './whitespace.ts';

/**
 * Makes machines that remove the tags around an answer together with the white space on their
 * inner side. Such tags are `cut` markers of their format. `spellings` are markers that stand for
 * other text; they are `endOfTurn` markers of their format.
 */
export function answerTags(
  open: string,
  close: string,
  spellings: Readonly<Record<string, string>> = {},
): CreateMachine {
  return (format, options) => new AnswerTagMachine(format, options, open, close, spellings);
}

class AnswerTagMachine extends Machine {
  override readonly content: AnswerText = new AnswerText((text) =>
    this.emit({ type: 'content', text }),
  );
  readonly #open: string;
  readonly #close: string;
  readonly #spellings: Readonly<Record<string, string>>;

  constructor(
    format: CompiledFormat,
    options: ReadOptions,
    open: string,
    close: string,
    spellings: Readonly<Record<string, string>>,
  ) {
    super(format, options);
    this.#open = open;
    this.#close = close;
    this.#spellings = spellings;
  }

  protected override act(marker: string, start: number): void {
    const spelled = this.#spellings[marker];
    if (spelled !== undefined) this.passPlain(spelled);
    else if (marker === this.#open) this.content.openAnswer();
    else if (marker === this.#close) this.content.closeAnswer();
    else super.act(marker, start);
  }
}

class AnswerText extends TextJoiner {
  /** White space that comes now belongs to the opening tag. */
  #isBehindOpening = false;

  override add(given: string): void {
    const piece = this.#isBehindOpening ? given.slice(skipSpace(given, 0)) : given;
    const isBlank = this.#isBehindOpening && piece === '';
    super.add(piece);
    this.#isBehindOpening = isBlank;
  }

  openAnswer(): void {
    this.stray();
    this.#isBehindOpening = true;
  }

  /** The white space before the tag goes with it. */
  closeAnswer(): void {
    this.commit('');
  }

  override commit(text: string): void {
    this.#isBehindOpening = false;
    super.commit(text);
  }
}
