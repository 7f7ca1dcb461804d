import type { Machine } from '../machine.ts';
import { EnvelopeReader } from './envelope.ts';

/** Reads a call object whose name may stand under another key: a repair. */
export const spareName =
  (key: string) =>
  (machine: Machine): EnvelopeReader =>
    new SpareNameReader(machine, key);

class SpareNameReader extends EnvelopeReader {
  readonly #spareKey: string;

  constructor(machine: Machine, spareKey: string) {
    super(machine);
    this.#spareKey = spareKey;
  }

  override get name(): string | undefined {
    return this.#isSpared ? this.nameIn(this.members.get(this.#spareKey)) : super.name;
  }

  override deliver(): void {
    if (this.#isSpared) this.scanner.isRepaired = true;
    super.deliver();
  }

  /** The right name may still come. */
  protected override get isArguments(): boolean {
    return !this.#isSpared && super.isArguments;
  }

  get #isSpared(): boolean {
    const { members } = this;
    return this.machine.options.repair && !members.has('name') && members.has(this.#spareKey);
  }
}
