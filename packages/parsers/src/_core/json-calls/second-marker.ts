import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';

/** A block whose opening marker counts only with a second one behind it, white space between. */
export function withSecondMarker(second: string, open: OpenBlock): OpenBlock {
  return (machine, start, marker) => secondMarkerReader(machine, second, start, marker, open);
}

function secondMarkerReader(
  machine: Machine,
  second: string,
  start: number,
  marker: string,
  open: OpenBlock,
): BlockReader {
  let inner: BlockReader | null = null;

  const readMarker = (): Step => {
    machine.skipSpace();
    const { text, pos } = machine;
    if (text.length - pos < second.length && second.startsWith(text.slice(pos))) return 'more';
    if (text.startsWith(second, pos)) {
      machine.pos += second.length;
      inner = open(machine, start, machine.since(start));
    } else machine.strayBlock(start, marker.length);
    return 'again';
  };
  return {
    step: () => (inner === null ? readMarker() : inner.step()),
    cut: () => (inner === null ? machine.truncate(start) : inner.cut()),
  };
}
