import type { CreateMachine, OpenBlock } from '../format.ts';
import type { Machine } from '../machine.ts';
import { extendedMachine } from './extended-machine.ts';

/**
 * Makes machines that ask once, at the first character of the content that is no marker, whether a block begins
 * there; its own marker is empty.
 */
export function firstContent(open: OpenBlock): CreateMachine {
  return extendedMachine((machine) => {
    let isAsked = false;
    return {
      readPlain() {
        if (isAsked || machine.isReasoning) return undefined;
        const marker = seekStart(machine);
        if (marker === undefined) return false;
        if (marker !== null) return undefined;
        isAsked = true;
        machine.reader = open(machine, machine.offset, '');
        return machine.reader !== null || undefined;
      },
    };
  });
}

function seekStart(machine: Machine): string | null | undefined {
  const from = machine.pos;
  machine.skipSpace();
  if (machine.pos > from) machine.passPlain(machine.text.slice(from, machine.pos));
  return machine.match(machine.format.textMarkers);
}
