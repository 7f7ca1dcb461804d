import { continueWith } from '../continue-with.ts';
import type { OpenBlock } from '../format.ts';

/** A body that is JSON or something else: its first character tells which. */
export function eitherBlock(json: OpenBlock, other: OpenBlock): OpenBlock {
  return (machine, start, marker) => ({
    step() {
      if (!machine.skipSpace()) return 'more';
      const isJson = '{['.includes(machine.character);
      continueWith(machine, isJson ? json : other, start, marker);
      return 'again';
    },
    cut: () => machine.truncate(start),
  });
}
