import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';

/** A body that is JSON or something else: its first character tells which. */
export function eitherBlock(json: OpenBlock, other: OpenBlock): OpenBlock {
  return (machine, start, marker) => new EitherReader(machine, start, marker, json, other);
}

class EitherReader implements BlockReader {
  private inner: BlockReader | null = null;
  private readonly machine: Machine;
  private readonly start: number;
  private readonly marker: string;
  private readonly json: OpenBlock;
  private readonly other: OpenBlock;

  constructor(machine: Machine, start: number, marker: string, json: OpenBlock, other: OpenBlock) {
    this.machine = machine;
    this.start = start;
    this.marker = marker;
    this.json = json;
    this.other = other;
  }

  step(): Step {
    return this.inner === null ? this.choose() : this.inner.step();
  }

  cut(): void {
    if (this.inner === null) this.machine.truncate(this.start);
    else this.inner.cut();
  }

  private choose(): Step {
    const { machine, start, marker } = this;
    if (!machine.skipSpace()) return 'more';
    const isJson = '{['.includes(machine.character);
    this.inner = (isJson ? this.json : this.other)(machine, start, marker);
    if (this.inner === null) machine.textBlock(start, marker.length);
    return 'again';
  }
}
