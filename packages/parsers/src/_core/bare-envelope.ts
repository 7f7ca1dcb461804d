import { EnvelopeReader, usualKeys } from './envelope.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { type MarkerSet, markersOf } from './markers.ts';

/** A call object at the start of the content whose opening tag was lost but whose closing tag came. */
export function bareEnvelope(closer: string): OpenBlock {
  const closers = markersOf([closer]);
  return (machine, start) =>
    machine.isAtContentStart ? new BareEnvelopeReader(machine, closers, start) : null;
}

class BareEnvelopeReader implements BlockReader {
  private end = -1;
  private readonly envelope: EnvelopeReader;
  private readonly machine: Machine;
  private readonly closers: MarkerSet<string>;
  private readonly start: number;

  constructor(machine: Machine, closers: MarkerSet<string>, start: number) {
    this.machine = machine;
    this.closers = closers;
    this.start = start;
    machine.rewind(start);
    machine.keepFrom(start);
    this.envelope = new EnvelopeReader(machine, usualKeys, false);
    this.envelope.begin();
  }

  step(): Step {
    return this.end < 0 ? this.readObject() : this.readCloser();
  }

  cut(): void {
    this.machine.textBlock(this.start, 1);
  }

  private readObject(): Step {
    const { envelope } = this;
    const status = envelope.scan();
    if (status === 'more') return 'more';
    const isCall = envelope.name !== undefined && envelope.argumentsKind === '{';
    if (status === 'done' && isCall) this.end = this.machine.offset;
    else this.cut();
    return 'again';
  }

  private readCloser(): Step {
    const { machine } = this;
    machine.skipSpace();
    const closer = machine.match(this.closers);
    if (closer === undefined) return 'more';
    if (closer === null) this.cut();
    else {
      machine.beginBlock();
      this.envelope.deliver();
      machine.report('missing_wrapper', this.start, this.end);
      machine.pos += closer.length;
      machine.endBlock();
    }
    return 'again';
  }
}
