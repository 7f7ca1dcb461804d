import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { type MarkerSet, markersOf } from './markers.ts';

/** A block whose opening marker counts only with a second one behind it, white space between. */
export function withSecondMarker(second: string, open: OpenBlock): OpenBlock {
  const markers = markersOf([second]);
  return (machine, start, marker) => secondMarkerReader(machine, markers, start, marker, open);
}

function secondMarkerReader(
  machine: Machine,
  markers: MarkerSet<string>,
  start: number,
  marker: string,
  open: OpenBlock,
): BlockReader {
  let inner: BlockReader | null = null;
  machine.keepFrom(start);

  const readMarker = (): Step => {
    machine.skipSpace();
    const second = machine.match(markers);
    if (second === undefined) return 'more';
    if (second !== null) {
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
