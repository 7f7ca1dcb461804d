import type { CreateMachine } from './format.ts';
import { Machine } from './machine.ts';

/** Makes machines to which reasoning tags, being ordinary phrases, count only at the start of the text. */
export const reasoningAtStart: CreateMachine = (format, options) =>
  new PhraseMachine(format, options);

class PhraseMachine extends Machine {
  protected override act(marker: string, start: number): void {
    const kind = this.format.kinds.get(marker);
    const isTag = kind === 'reasoningOpen' || (kind === 'reasoningClose' && !this.isReasoning);
    if (isTag && !this.isAtStart) this.passPlain(marker);
    else super.act(marker, start);
  }
}
