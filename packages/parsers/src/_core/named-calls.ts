import { EnvelopeReader } from './envelope.ts';
import type { Machine } from './machine.ts';
import { trimSpace } from './whitespace.ts';

/** Reads an object whose keys are the names of calls and whose values are their arguments. */
export const namedCalls = (machine: Machine): EnvelopeReader => new NamedCallsReader(machine);

class NamedCallsReader extends EnvelopeReader {
  override get name(): string | undefined {
    return trimSpace(this.key) === '' ? undefined : this.key;
  }

  /** The calls were handed over one by one; without any there is no name. */
  override deliver(): void {
    if (this.isObject && this.deliveredUntil > this.start) {
      if (this.scanner.isRepaired) this.reportRepair();
    } else super.deliver();
  }

  protected override get isArguments(): boolean {
    return true;
  }

  protected override endValue(): void {
    if (!this.isObject) return;
    this.handOver({ kind: this.scanner.kind, text: this.scanner.take() });
    this.isFlowing = false;
    this.key = '';
    this.deliveredUntil = this.machine.offset;
  }
}
