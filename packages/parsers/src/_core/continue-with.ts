import type { OpenBlock } from './format.ts';
import type { Machine } from './machine.ts';

/** Another reader goes on with the block; if it will not, the block's marker is ordinary text. */
export function continueWith(
  machine: Machine,
  open: OpenBlock,
  start: number,
  marker: string,
): void {
  machine.reader = open(machine, start, marker);
  if (machine.reader === null) machine.textBlock(start, marker);
}
