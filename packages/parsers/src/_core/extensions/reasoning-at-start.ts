import type { CreateMachine } from '../format.ts';
import { extendedMachine } from './extended-machine.ts';

/** Makes machines to which reasoning tags, being ordinary phrases, count only at the start of the text. */
export const reasoningAtStart: CreateMachine = extendedMachine((machine) => ({
  act(marker) {
    const kind = machine.format.kinds.get(marker);
    const isTag = kind === 'open' || (kind === 'close' && !machine.isReasoning);
    const isPhrase = isTag && !machine.isAtStart;
    if (isPhrase) machine.passPlain(marker);
    return isPhrase;
  },
}));
