import type { CreateMachine } from '../format.ts';
import { TextJoiner } from '../text-joiner.ts';
import { skipSpace } from '../whitespace.ts';
import { extendedMachine } from './extended-machine.ts';

/**
 * Makes machines that remove the tags around an answer together with the white space on their inner side. Such tags
 * are `cut` markers of their format. `spellings` are markers that stand for other text; they are
 * `endOfTurn` markers of their format.
 */
export function answerTags(
  open: string,
  close: string,
  spellings: Readonly<Record<string, string>> = {},
): CreateMachine {
  return extendedMachine((machine) => {
    const content = new AnswerText(machine, 'content');
    machine.content = content;
    return {
      act(marker) {
        const spelled = spellings[marker];
        if (spelled !== undefined) machine.passPlain(spelled);
        else if (marker === open) content.openAnswer();
        else if (marker === close) content.closeAnswer();
        else return false;
        return true;
      },
    };
  });
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
