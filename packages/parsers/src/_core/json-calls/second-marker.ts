import { continueWith } from '../continue-with.ts';
import type { OpenBlock } from '../format.ts';

/** A block whose opening marker counts only with a second one behind it, white space between. */
export function withSecondMarker(second: string, open: OpenBlock): OpenBlock {
  return (machine, start, marker) => ({
    step() {
      machine.skipSpace();
      const { text, pos } = machine;
      if (text.length - pos < second.length && second.startsWith(text.slice(pos))) return 'more';
      if (text.startsWith(second, pos)) {
        machine.pos += second.length;
        continueWith(machine, open, start, machine.since(start));
      } else machine.strayBlock(start, marker);
      return 'again';
    },
    cut: () => machine.truncate(start),
  });
}
