import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { parameterNames, parametersOf } from '../text-calls/schema.ts';
import { CallScanner } from './call-scanner.ts';
import { readPythonArguments } from './python-call.ts';

/**
 * Python calls, one a line, whose tags were lost: they count only if the whole text consists of
 * calls of given tools. For `start` of a format.
 */
export function bareCallLines(closer: string): OpenBlock {
  return (machine, start) =>
    machine.options.tools.length > 0 && machine.isAtContentStart
      ? new CallLinesReader(machine, closer, start)
      : null;
}

interface FoundCall {
  readonly name: string;
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

class CallLinesReader implements BlockReader {
  #callStart: number;
  readonly #call: CallScanner;
  readonly #calls: FoundCall[] = [];
  readonly #machine: Machine;
  readonly #closer: string;
  readonly #start: number;

  constructor(machine: Machine, closer: string, start: number) {
    this.#machine = machine;
    this.#call = new CallScanner(machine);
    this.#closer = closer;
    this.#start = start;
    this.#callStart = start;
  }

  step(): Step {
    const machine = this.#machine;
    const call = this.#call;
    if (!call.isBegun) {
      if (!machine.skipSpace()) return 'more';
      const marker = machine.match(machine.format.textMarkers);
      if (marker === undefined) return 'more';
      if (marker !== null) return this.#readEnd(marker);
      this.#callStart = machine.offset;
    }
    const status = call.scan();
    if (call.isInArguments && !this.#isKnown) return this.#giveUp();
    if (status === 'more') return 'more';
    return status === 'done' ? this.#endCall() : this.#giveUp();
  }

  cut(): void {
    if (!this.#call.isBegun && this.#calls.length > 0) this.#deliver();
    else this.#giveUp();
  }

  get #isKnown(): boolean {
    return this.#machine.options.tools.some((tool) => tool.function.name === this.#call.name);
  }

  #giveUp(): Step {
    this.#machine.textBlock(this.#start, '');
    return 'again';
  }

  #endCall(): Step {
    const machine = this.#machine;
    const { name, argumentsText } = this.#call;
    const { tools, maxDepth } = machine.options;
    const names = parameterNames(parametersOf(tools, name));
    const found = readPythonArguments(argumentsText, names, maxDepth);
    if (found.kind !== 'call') return this.#giveUp();
    this.#calls.push({ name, json: found.json, start: this.#callStart, end: machine.offset });
    this.#call.begin();
    return 'again';
  }

  /** Behind the calls a token may end the turn, or the closing tag come. */
  #readEnd(marker: string): Step {
    const isEndOfTurn = this.#machine.format.kinds.get(marker) === 'endOfTurn';
    if (this.#calls.length === 0 || (!isEndOfTurn && marker !== this.#closer))
      return this.#giveUp();
    this.#deliver();
    if (marker === this.#closer) this.#machine.pos += marker.length;
    return 'again';
  }

  #deliver(): void {
    const machine = this.#machine;
    machine.beginBlock();
    for (const { name, json, start, end } of this.#calls) {
      machine.call(name, null, json, start);
      machine.report('missing_wrapper', start, { name }, end);
    }
    machine.endBlock();
  }
}
