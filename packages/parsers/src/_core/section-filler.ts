import type { Machine } from './machine.ts';
import type { MarkerSet } from './markers.ts';
import { trimSpace } from './whitespace.ts';

/** Text between the calls of a section: it is dropped, but not without a word. */
export class SectionFiller {
  /** Where it begins and ends; -1: none was looked for. */
  private start = -1;
  private end = -1;
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Passes over text up to the next marker; null or undefined when the window holds none. */
  seek(markers: MarkerSet): string | null | undefined {
    const { machine } = this;
    if (this.start < 0) this.start = machine.offset;
    const marker = machine.seek(markers);
    this.end = machine.offset;
    return marker;
  }

  /** Reports what was passed over since the last time. */
  report(): void {
    const { machine, start, end } = this;
    const raw = machine.since(start, end);
    if (trimSpace(raw) !== '') machine.note('section_filler', start, { raw }, end);
    this.forget();
  }

  forget(): void {
    this.start = this.end = -1;
  }
}
