import { JsonScanner, type ScanStatus } from './json-scanner.ts';
import { decodeString, objectText } from './json-text.ts';
import type { Machine } from './machine.ts';
import { trimSpace } from './whitespace.ts';

/** Reads the arguments of a call whose name stands outside the JSON. */
export class ArgumentsReader {
  name = '';
  /** Where the call begins. */
  start = 0;
  private id: string | null = null;
  private isFlowing = false;
  private readonly scanner: JsonScanner;
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
    this.scanner = new JsonScanner(
      machine.options.repair ?? true,
      machine.options.maxDepth ?? 1000,
    );
  }

  begin(name: string, id: string | null, start: number): void {
    this.name = name;
    this.id = id;
    this.start = start;
    this.isFlowing = false;
    this.scanner.begin();
  }

  get isInString(): boolean {
    return this.scanner.isInString;
  }

  scan(): ScanStatus {
    const status = this.scanner.scan(this.machine);
    if (this.machine.isIncremental && this.scanner.kind === '{') this.flow();
    return status;
  }

  closeMissing(): boolean {
    return this.scanner.closeMissing();
  }

  /** The arguments are complete: hands the call over, or says why there is none. */
  deliver(): void {
    const { machine, name } = this;
    const text = this.scanner.kind === '{' ? this.scanner.take() : this.unwrapped();
    if (text === null) {
      machine.dropCall(
        'invalid_arguments',
        'the arguments of a call are no JSON object',
        this.start,
        machine.offset,
        { name },
      );
      return;
    }
    if (!this.isFlowing) machine.startCall(name, this.id, this.start);
    machine.addArguments(text);
    machine.endCall();
    if (this.scanner.isRepaired) this.reportRepair();
  }

  /** No argument text at all: a call without arguments. */
  deliverEmpty(): void {
    this.machine.call(this.name, this.id, '{}', this.start);
  }

  reportRepair(): void {
    const { machine, name } = this;
    machine.report('repaired_call', 'the text of a call was repaired', this.start, machine.offset, {
      name,
    });
  }

  private flow(): void {
    if (!this.isFlowing) this.machine.startCall(this.name, this.id, this.start);
    this.isFlowing = true;
    this.machine.addArguments(this.scanner.take());
  }

  private unwrapped(): string | null {
    if (this.scanner.kind !== '"') return null;
    const { repair = true, maxDepth = 1000 } = this.machine.options;
    return objectText(trimSpace(decodeString(this.scanner.take())), repair, maxDepth);
  }
}
