import type { Machine } from './machine.ts';
import type { MarkerSet } from './markers.ts';
import { trimSpace } from './whitespace.ts';

/** Text between the calls of a section: it is dropped, but not without a word. */
export class SectionFiller {
  private text = '';
  private start = 0;
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Passes over text up to the next marker; null or undefined when the window holds none. */
  seek(markers: MarkerSet): string | null | undefined {
    const { machine } = this;
    const from = machine.pos;
    if (this.text === '') this.start = machine.offset;
    const marker = machine.seek(markers);
    this.text += machine.text.slice(from, machine.pos);
    return marker;
  }

  /** Reports what was passed over since the last time. */
  report(): void {
    const { machine, start, text } = this;
    if (trimSpace(text) !== '')
      machine.note('section_filler', start, { raw: text }, start + text.length);
    this.forget();
  }

  forget(): void {
    this.text = '';
  }
}
