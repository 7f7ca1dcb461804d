import type { CreateMachine, OpenBlock } from './format.ts';
import { Machine } from './machine.ts';

/**
 * Makes machines that ask once, at the first character of the content that is no marker, whether
 * a block begins there; its own marker is empty.
 */
export function firstContent(open: OpenBlock): CreateMachine {
  return (format, options) => new FirstContentMachine(format, options, open);
}

class FirstContentMachine extends Machine {
  /** Until it was asked. */
  #open: OpenBlock | undefined;

  constructor(...[format, options, open]: [...Parameters<CreateMachine>, OpenBlock]) {
    super(format, options);
    this.#open = open;
  }

  protected override readPlain(): boolean {
    if (this.#open && !this.isReasoning) {
      const marker = this.#seekStart();
      if (marker === undefined) return false;
      if (marker === null) {
        this.reader = this.#open(this, this.offset, '');
        this.#open = undefined;
        if (this.reader !== null) return true;
      }
    }
    return super.readPlain();
  }

  #seekStart(): string | null | undefined {
    const from = this.pos;
    this.skipSpace();
    if (this.pos > from) this.passPlain(this.text.slice(from, this.pos));
    return this.match(this.format.textMarkers);
  }
}
