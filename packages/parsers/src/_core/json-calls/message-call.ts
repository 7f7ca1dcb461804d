import type { BlockReader, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { ArgumentsReader } from './arguments.ts';
import { endMessage } from './message-text.ts';
import { ends, endTokens, resyncTokens } from './message-tokens.ts';

/** Reads the body of a message that is a call: its arguments, up to its end token. */
export class MessageCallReader implements BlockReader {
  /** Reads the part that comes next. */
  #next: () => Step = this.#readBody;
  #hasSurplus = false;
  #bodyEnd = 0;
  readonly #bodyStart: number;
  readonly #call: ArgumentsReader;
  readonly #machine: Machine;
  readonly #start: number;

  /** The message began at `start`; its body begins at the cursor. */
  constructor(machine: Machine, start: number, name: string) {
    this.#machine = machine;
    this.#start = start;
    this.#bodyStart = machine.offset;
    this.#call = new ArgumentsReader(machine, start, name);
    machine.beginBlock();
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const { isInString, name } = this.#call;
    if (isInString && machine.holds(resyncTokens, this.#bodyStart)) this.#resync();
    else machine.truncate(this.#start, { name });
  }

  #readBody(): Step {
    const machine = this.#machine;
    const hasText = machine.skipSpace();
    const token = machine.match(resyncTokens);
    if (token === undefined) return 'more';
    if (hasText && token === null) {
      this.#next = this.#readArguments;
    } else if (token === null) this.cut();
    else if (ends.includes(token)) {
      this.#call.deliverEmpty();
      this.#endCall();
    } else return this.#resync();
    return 'again';
  }

  #readArguments(): Step {
    const status = this.#call.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return this.#readEarlyEnd();
    this.#call.deliver();
    this.#endCall();
    return 'again';
  }

  /** Only brackets may be missing before an end token. */
  #readEarlyEnd(): Step {
    const token = this.#machine.match(endTokens);
    if (token === undefined) return 'more';
    if (token === null || !this.#call.closeMissing()) return this.#resync();
    this.#call.deliver();
    this.#endCall();
    return 'again';
  }

  #endCall(): void {
    this.#bodyEnd = this.#machine.offset;
    this.#next = this.#readAfter;
  }

  #readAfter(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const token = machine.match(endTokens);
    if (token === undefined) return 'more';
    const isSurplus = /[}\]]/.test(machine.character);
    if (token === null && isSurplus && machine.options.repair) {
      machine.pos += 1;
      this.#hasSurplus = true;
      return 'again';
    }
    if (token === null) {
      machine.rewind(this.#bodyEnd);
      machine.report('unclosed_call', this.#start);
    } else {
      machine.pos += token.length;
      if (this.#hasSurplus) this.#call.reportRepair();
    }
    endMessage(machine);
    return 'again';
  }

  #resync(): Step {
    this.#machine.rewind(this.#bodyStart);
    this.#next = this.#readResync;
    return 'again';
  }

  /** A broken body ends with its end token or before the next message. */
  #readResync(): Step {
    const machine = this.#machine;
    const token = machine.seek(resyncTokens);
    if (token === undefined) return 'more';
    if (token !== null && ends.includes(token)) machine.pos += token.length;
    const { name } = this.#call;
    machine.dropCall('invalid_arguments', this.#start, { name });
    endMessage(machine);
    return 'again';
  }
}
