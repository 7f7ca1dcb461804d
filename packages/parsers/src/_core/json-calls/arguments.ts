import { JsonScanner, type ScanStatus } from '../json/json-scanner.ts';
import { argumentsText } from '../json/json-text.ts';
import type { Machine } from '../machine.ts';

/** Reads the arguments of a call whose name stands outside the JSON. */
export class ArgumentsReader {
  readonly name: string;
  private isFlowing = false;
  private readonly id: string | null;
  private readonly start: number;
  private readonly scanner: JsonScanner;
  private readonly machine: Machine;

  /** Of a call that begins at `start`; the JSON comes later. */
  constructor(machine: Machine, start: number, name = '', id: string | null = null) {
    this.machine = machine;
    this.start = start;
    this.name = name;
    this.id = id;
    this.scanner = new JsonScanner(machine, machine.options);
  }

  get isInString(): boolean {
    return this.scanner.isInString;
  }

  scan(): ScanStatus {
    const status = this.scanner.scan();
    if (this.machine.isIncremental && this.scanner.kind === '{') this.flow();
    return status;
  }

  closeMissing(): boolean {
    return this.scanner.closeMissing();
  }

  /** The arguments are complete: hands the call over, or says why there is none. */
  deliver(): void {
    const { machine, name, scanner, start } = this;
    const { kind } = scanner;
    const text =
      kind === 'n' ? null : argumentsText(machine, { kind, text: scanner.take() }, start);
    if (text === null) {
      machine.dropCall('invalid_arguments', start, { name });
      return;
    }
    if (!this.isFlowing) machine.startCall(name, this.id, start);
    machine.addArguments(text);
    machine.endCall();
    if (scanner.isRepaired) this.reportRepair();
  }

  /** No argument text at all: a call without arguments. */
  deliverEmpty(): void {
    this.machine.call(this.name, this.id, '{}', this.start);
    this.machine.note('missing_arguments', this.start);
  }

  reportRepair(): void {
    this.machine.report('repaired_call', this.start, { name: this.name });
  }

  private flow(): void {
    if (!this.isFlowing) this.machine.startCall(this.name, this.id, this.start);
    this.isFlowing = true;
    this.machine.addArguments(this.scanner.take());
  }
}
