import type { Machine } from '../machine.ts';
import type { MarkerSet } from '../markers.ts';
import { BracketScanner } from './bracket-scanner.ts';
import { callNameEnd, isCallName } from './call-name.ts';

/** `none`: what stands here is no call; `error`: its brackets do not match. */
type CallStatus = 'more' | 'done' | 'none' | 'error';

/** Finds the ends of one call after the other, `name(...)`, at any chunking. */
export class CallScanner {
  /** The name, once it was read. */
  name = '';
  /** Where the name begins; -1 when no call was looked for. */
  #nameStart = -1;
  /** Offset behind the opening bracket; -1 while the name is read. */
  argumentsStart = -1;
  readonly #brackets: BracketScanner;
  readonly #machine: Machine;

  /** `special` is what cannot stand outside of strings. */
  constructor(machine: Machine, special?: MarkerSet) {
    this.#machine = machine;
    this.#brackets = new BracketScanner(special);
  }

  /** Another call may begin at the cursor. */
  begin(): void {
    this.name = '';
    this.#nameStart = this.argumentsStart = -1;
  }

  get isBegun(): boolean {
    return this.#nameStart >= 0;
  }

  get isInArguments(): boolean {
    return this.argumentsStart >= 0;
  }

  get isInString(): boolean {
    return this.#brackets.isInString;
  }

  /** What stands between the brackets of a complete call. */
  get argumentsText(): string {
    return this.#machine.since(this.argumentsStart, this.#machine.offset - 1);
  }

  /** Reads on from the cursor and moves it: behind the call, or to what cannot follow. */
  scan(): CallStatus {
    const machine = this.#machine;
    if (this.isInArguments) return this.#brackets.scan(machine);
    if (!this.isBegun) this.#nameStart = machine.offset;
    machine.pos = callNameEnd(machine.text, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    this.name = machine.since(this.#nameStart);
    if (machine.character !== '(' || !isCallName(this.name)) return 'none';
    machine.pos += 1;
    this.argumentsStart = machine.offset;
    this.#brackets.begin(')');
    return this.#brackets.scan(machine);
  }
}
