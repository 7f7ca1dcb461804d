import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { parameterNames, parametersOf } from '../text-calls/schema.ts';
import { BracketScanner } from './bracket-scanner.ts';
import { callNameEnd, isCallName } from './call-name.ts';
import { readPythonArguments } from './python-call.ts';

/**
 * Python calls, one a line, whose tags were lost: they count only if the whole text consists of
 * calls of given tools. For `start` of a format.
 */
export function bareCallLines(closer: string): OpenBlock {
  return (machine, start) =>
    machine.options.tools !== undefined && machine.isAtContentStart
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
  #name = '';
  #callStart: number;
  #argumentsStart = -1;
  readonly #calls: FoundCall[] = [];
  readonly #brackets = new BracketScanner();
  readonly #machine: Machine;
  readonly #closer: string;
  readonly #start: number;

  constructor(machine: Machine, closer: string, start: number) {
    this.#machine = machine;
    this.#closer = closer;
    this.#start = start;
    this.#callStart = start;
  }

  step(): Step {
    return this.#argumentsStart < 0 ? this.#readName() : this.#readArguments();
  }

  cut(): void {
    const isBetween = this.#name === '' && this.#argumentsStart < 0;
    if (isBetween && this.#calls.length > 0) this.#deliver();
    else this.#giveUp();
  }

  #giveUp(): Step {
    this.#machine.textBlock(this.#start, 0);
    return 'again';
  }

  #readName(): Step {
    const machine = this.#machine;
    if (this.#name === '' && !machine.skipSpace()) return 'more';
    if (this.#name === '') {
      const marker = machine.match(machine.format.textMarkers);
      if (marker === undefined) return 'more';
      if (marker !== null) return this.#readEnd(marker);
      this.#callStart = machine.offset;
    }
    const from = machine.pos;
    machine.pos = callNameEnd(machine.text, from);
    this.#name += machine.text.slice(from, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    const isKnown = machine.options.tools?.some((tool) => tool.function.name === this.#name);
    const isCall = isKnown && isCallName(this.#name) && machine.character === '(';
    if (!isCall) return this.#giveUp();
    machine.pos += 1;
    this.#argumentsStart = machine.offset;
    this.#brackets.begin(')');
    return 'again';
  }

  #readArguments(): Step {
    const machine = this.#machine;
    const status = this.#brackets.scan(machine);
    if (status === 'more') return 'more';
    const name = this.#name;
    const { tools, maxDepth } = machine.options;
    const names = parameterNames(parametersOf(tools, name));
    const text = machine.since(this.#argumentsStart, machine.offset - 1);
    const call = status === 'done' ? readPythonArguments(text, names, maxDepth) : null;
    if (call?.kind !== 'call') return this.#giveUp();
    this.#calls.push({ name, json: call.json, start: this.#callStart, end: machine.offset });
    this.#name = '';
    this.#argumentsStart = -1;
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
