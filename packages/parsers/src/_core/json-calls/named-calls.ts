import type { Machine } from '../machine.ts';
import { trimSpace } from '../whitespace.ts';
import { EnvelopeReader } from './envelope.ts';

/** Reads an object whose keys are the names of calls and whose values are their arguments. */
export const namedCalls = (machine: Machine): EnvelopeReader => new NamedCallsReader(machine);

class NamedCallsReader extends EnvelopeReader {
  #hasCall = false;

  override get name(): string | undefined {
    return trimSpace(this.key) === '' ? undefined : this.key;
  }

  /** Between two values there is no call that might end. */
  override closeMissing(): boolean {
    return this.scanner.depth > 1 ? super.closeMissing() : this.scanner.closeMissing();
  }

  /** The calls were handed over one by one; without any there is no name. */
  override deliver(): void {
    if (!this.#hasCall) super.deliver();
    else if (this.scanner.isRepaired) this.reportRepair();
  }

  protected override get isArguments(): boolean {
    return true;
  }

  protected override endValue(): void {
    if (!this.isObject) return;
    this.#hasCall = true;
    this.handOver({ kind: this.scanner.kind, text: this.scanner.take() });
    this.scanner.isRepaired = false;
    this.isFlowing = false;
    this.key = '';
    this.start = this.deliveredUntil = this.machine.offset;
  }
}
