import { continueWith } from '../continue-with.ts';
import type { BlockReader, OpenBlock, Step } from '../format.ts';
import { bareCallArray } from '../json-calls/call-array.ts';
import { jsonBlock } from '../json-calls/json-block.ts';
import type { Machine } from '../machine.ts';
import type { TextJoiner } from '../text-joiner.ts';
import { CallScanner } from './call-scanner.ts';
import { deliverPythonCall } from './deliver-python-call.ts';
import {
  type CompiledPythonList,
  compilePythonList,
  type PythonListGrammar,
} from './python-list-grammar.ts';

/** A bare list: the marker is its bracket, which counts only at the start of a line. */
export function barePythonList(grammar: PythonListGrammar): OpenBlock {
  const compiled = compilePythonList(grammar, bareCallArray, true);
  return (machine, start) =>
    isAtLineStart(machine.content) ? new PythonListReader(machine, compiled, start, '[') : null;
}

/** A list between markers. */
export function pythonListBlock(grammar: PythonListGrammar): OpenBlock {
  const json = jsonBlock({ closers: grammar.closers, openers: grammar.openers ?? [] });
  const compiled = compilePythonList(grammar, json, false);
  return (machine, start, marker) => new PythonListReader(machine, compiled, start, marker);
}

class PythonListReader implements BlockReader {
  /** Reads the part that comes next. */
  #next: () => Step;
  /** A call came: this is a list of calls. */
  #isBegun = false;
  #callStart: number;
  #listEnd = 0;
  readonly #call: CallScanner;
  readonly #machine: Machine;
  readonly #grammar: CompiledPythonList;
  readonly #start: number;
  readonly #marker: string;

  constructor(machine: Machine, grammar: CompiledPythonList, start: number, marker: string) {
    this.#machine = machine;
    this.#grammar = grammar;
    this.#call = new CallScanner(machine, grammar.all);
    this.#start = start;
    this.#callStart = start;
    this.#marker = marker;
    this.#next = grammar.isBare || grammar.isLines ? this.#readCall : this.#readStart;
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const { isBare, all } = this.#grammar;
    const { isInArguments, isInString, argumentsStart, name } = this.#call;
    if (isBare && !this.#isBegun && !isInArguments) machine.textBlock(this.#start, this.#marker);
    else if (isInString && !isBare && machine.holds(all, argumentsStart)) this.#resync();
    else machine.truncate(this.#callStart, isInArguments ? { name } : {});
  }

  #readStart(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace()) return 'more';
    const { character } = machine;
    if (character === '{') this.#becomeJson();
    else if (character === '[') {
      machine.pos += 1;
      this.#next = this.#readCall;
    } else machine.strayBlock(this.#start, this.#marker);
    return 'again';
  }

  #readCall(): Step {
    const machine = this.#machine;
    if (!this.#call.isBegun) {
      if (!machine.skipSpace()) return 'more';
      this.#callStart = this.#isBegun ? machine.offset : this.#start;
      if (this.#isJson()) {
        this.#becomeJson();
        return 'again';
      }
    }
    const status = this.#call.scan();
    if (status === 'more') return 'more';
    if (status === 'none') this.#endCalls();
    else if (status === 'error') this.#resync();
    else this.#endCall();
    return 'again';
  }

  /** Calls in JSON, or a list between markers that is empty. */
  #isJson(): boolean {
    const { isBare, isLines } = this.#grammar;
    const { character } = this.#machine;
    if (this.#isBegun || isLines) return false;
    return character === '{' || (character === ']' && !isBare);
  }

  #becomeJson(): void {
    const machine = this.#machine;
    machine.rewind(this.#start + this.#marker.length);
    continueWith(machine, this.#grammar.json, this.#start, this.#marker);
  }

  /** No call stands here: the list ends, the call is broken, or this is no list of calls. */
  #endCalls(): void {
    const machine = this.#machine;
    const { isBare, isLines } = this.#grammar;
    const isListEnd = this.#call.name === '' && machine.character === ']';
    if (this.#isBegun && isListEnd && !isLines) this.#endList();
    else if (this.#isBegun && isBare) this.#endUnclosed();
    else if (this.#isBegun) {
      this.#call.begin();
      this.#next = isLines ? this.#readBadLine : this.#readResync;
    } else if (isBare) machine.textBlock(this.#start, this.#marker);
    else machine.strayBlock(this.#start, this.#marker);
  }

  #endCall(): void {
    const machine = this.#machine;
    const { name, argumentsText } = this.#call;
    if (!this.#isBegun) machine.beginBlock();
    this.#isBegun = true;
    deliverPythonCall(machine, name, argumentsText, this.#callStart);
    this.#leaveCall();
  }

  /** The next call begins behind this one, if there is any. */
  #leaveCall(): void {
    this.#callStart = this.#listEnd = this.#machine.offset;
    this.#call.begin();
    this.#next = this.#readAfterCall;
  }

  #readAfterCall(): Step {
    const machine = this.#machine;
    const { closers, all, isLines } = this.#grammar;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const { character } = machine;
    const marker = machine.match(all);
    if (marker === undefined) return 'more';
    if (character === ']' && !isLines) this.#endList();
    else if (character === ',' || (isLines && marker === null && character !== '')) {
      if (character === ',') machine.pos += 1;
      this.#next = this.#readCall;
    } else if (marker === null || closers.match(marker, 0, true) === null) this.#endUnclosed();
    else {
      if (!isLines) machine.report('repaired_call', this.#start);
      machine.pos += marker.length;
      machine.endBlock();
    }
    return 'again';
  }

  #endList(): void {
    this.#machine.pos += 1;
    this.#listEnd = this.#machine.offset;
    this.#next = this.#readEnd;
  }

  #endUnclosed(): void {
    const machine = this.#machine;
    machine.rewind(this.#listEnd);
    machine.report('unclosed_call', this.#start);
    machine.endBlock();
  }

  #readEnd(): Step {
    const machine = this.#machine;
    const { closers, isOpenEnded } = this.#grammar;
    if (!isOpenEnded) machine.skipSpace();
    const closer = isOpenEnded ? '' : machine.match(closers);
    if (closer === undefined) return 'more';
    if (closer === null) this.#endUnclosed();
    else {
      machine.pos += closer.length;
      machine.endBlock();
    }
    return 'again';
  }

  /** A second look at a broken call, without knowledge of strings. A bare list ends right here. */
  #resync(): void {
    if (!this.#grammar.isBare) this.#machine.rewind(this.#call.argumentsStart);
    this.#next = this.#readResync;
  }

  /** A line that is no call costs only itself. */
  #readBadLine(): Step {
    const machine = this.#machine;
    const marker = machine.seek(this.#grammar.lineEnds);
    if (marker === undefined) return 'more';
    machine.dropCall('malformed_call', this.#callStart);
    this.#leaveCall();
    return 'again';
  }

  #readResync(): Step {
    const machine = this.#machine;
    const { closers, all, isBare } = this.#grammar;
    const marker = isBare ? null : machine.seek(all);
    if (marker === undefined) return 'more';
    if (marker !== null && closers.match(marker, 0, true) !== null) machine.pos += marker.length;
    machine.beginBlock();
    machine.dropCall('malformed_call', this.#callStart, { name: this.#call.name });
    machine.endBlock();
    return 'again';
  }
}

/** Nothing but white space since the last line break, block or the start. */
function isAtLineStart({ isAfterBlock, isStarted, space }: TextJoiner): boolean {
  return !isStarted || isAfterBlock || space.includes('\n');
}
