import { EnvelopeReader } from './envelope.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';

/** A call object at the start of the content whose opening tag was lost but whose closing tag came. */
export function bareEnvelope(closer: string): OpenBlock {
  const closers = new MarkerSet([closer]);
  return (machine, start) =>
    machine.isAtContentStart ? bareEnvelopeReader(machine, closers, start) : null;
}

function bareEnvelopeReader(machine: Machine, closers: MarkerSet, start: number): BlockReader {
  machine.keepFrom(start);
  machine.rewind(start);
  const envelope = new EnvelopeReader(machine, undefined, false);
  let end = -1;

  const readObject = (): Step => {
    const status = envelope.scan();
    if (status === 'more') return 'more';
    if (status === 'done' && envelope.name && envelope.argumentsKind === '{') end = machine.offset;
    else cut();
    return 'again';
  };
  const readCloser = (): Step => {
    machine.skipSpace();
    const closer = machine.match(closers);
    if (closer === undefined) return 'more';
    if (closer === null) cut();
    else {
      machine.beginBlock();
      envelope.deliver();
      machine.report('missing_wrapper', start, {}, end);
      machine.pos += closer.length;
      machine.endBlock();
    }
    return 'again';
  };
  const cut = (): void => machine.textBlock(start, 1);

  envelope.begin();
  return { step: () => (end < 0 ? readObject() : readCloser()), cut };
}
