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
  private isComplete = false;
  private end = 0;
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
    return this.isComplete ? this.readCloser() : this.readObject();
  }

  cut(): void {
    this.machine.textBlock(this.start, 1);
  }

  private readObject(): Step {
    const status = this.envelope.scan();
    if (status === 'more') return 'more';
    this.isComplete =
      status === 'done' && this.envelope.name !== undefined && this.envelope.argumentsKind === '{';
    this.end = this.machine.offset;
    if (!this.isComplete) this.cut();
    return 'again';
  }

  private readCloser(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return 'more';
    const closer = this.closers.at(machine.text, machine.pos, machine.isLast);
    if (closer === null && !machine.isLast && this.closers.isCut(machine.text, machine.pos))
      return 'more';
    if (closer === null) {
      this.cut();
      return 'again';
    }
    machine.beginBlock();
    this.envelope.deliver();
    machine.report('missing_wrapper', 'the opening tag of a call is missing', this.start, this.end);
    machine.pos += closer.text.length;
    machine.endBlock();
    return 'again';
  }
}
