import type { BlockReader, OpenBlock, Step } from '../format.ts';
import { bareCallArray } from '../json-calls/call-array.ts';
import { jsonBlock } from '../json-calls/json-block.ts';
import type { Machine } from '../machine.ts';
import type { MarkerSet } from '../markers.ts';
import type { TextJoiner } from '../text-joiner.ts';
import { BracketScanner } from './bracket-scanner.ts';
import { callNameEnd, isCallName } from './call-name.ts';
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
  #isBegun = false;
  #json: BlockReader | null = null;
  #name = '';
  #callStart: number;
  #argumentsStart = 0;
  #listEnd = 0;
  readonly #brackets: BracketScanner;
  readonly #machine: Machine;
  readonly #grammar: CompiledPythonList;
  readonly #start: number;
  readonly #marker: string;

  constructor(machine: Machine, grammar: CompiledPythonList, start: number, marker: string) {
    this.#machine = machine;
    this.#grammar = grammar;
    this.#brackets = new BracketScanner(grammar.all);
    this.#start = start;
    this.#callStart = start;
    this.#marker = marker;
    this.#next = grammar.isBare || grammar.isLines ? this.#readName : this.#readStart;
  }

  step(): Step {
    if (this.#json !== null) return this.#json.step();
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const { isBare, all } = this.#grammar;
    const isInArguments = this.#next === this.#readArguments;
    if (this.#json !== null) this.#json.cut();
    else if (isBare && !this.#isBegun && !isInArguments) machine.textBlock(this.#start, 1);
    else if (isInArguments && !isBare && this.#isMarkerBehind(all)) this.#resync();
    else machine.truncate(this.#callStart, isInArguments ? { name: this.#name } : {});
  }

  /** The text ended inside a string although a marker stands behind its beginning. */
  #isMarkerBehind(markers: MarkerSet): boolean {
    return this.#brackets.isInString && this.#machine.holds(markers, this.#argumentsStart);
  }

  #readStart(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace()) return 'more';
    const character = machine.character;
    if (character === '{') return this.#becomeJson();
    if (character === '[') {
      machine.pos += 1;
      this.#next = this.#readName;
    } else machine.strayBlock(this.#start, this.#marker.length);
    return 'again';
  }

  /** `name(`, dots allowed; anything else means that this is no list of calls. */
  #readName(): Step {
    const machine = this.#machine;
    if (this.#name === '') {
      if (!machine.skipSpace()) return 'more';
      this.#callStart = this.#isBegun ? machine.offset : this.#start;
      if (this.#isJson()) return this.#becomeJson();
    }
    const from = machine.pos;
    machine.pos = callNameEnd(machine.text, from);
    this.#name += machine.text.slice(from, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    const isCall = machine.character === '(' && isCallName(this.#name);
    if (!isCall) return this.#abandon();
    machine.pos += 1;
    this.#argumentsStart = machine.offset;
    this.#brackets.begin(')');
    this.#next = this.#readArguments;
    return 'again';
  }

  /** Calls in JSON, or a list between markers that is empty. */
  #isJson(): boolean {
    const { isBare, isLines } = this.#grammar;
    const character = this.#machine.text.charAt(this.#machine.pos);
    if (this.#isBegun || isLines) return false;
    return character === '{' || (character === ']' && !isBare);
  }

  #becomeJson(): Step {
    const machine = this.#machine;
    machine.rewind(this.#start + this.#marker.length);
    this.#json = this.#grammar.json(machine, this.#start, this.#marker);
    if (this.#json === null) machine.textBlock(this.#start, this.#marker.length);
    return 'again';
  }

  #abandon(): Step {
    const machine = this.#machine;
    const isListEnd = this.#name === '' && machine.character === ']';
    if (this.#isBegun && isListEnd && !this.#grammar.isLines) return this.#endList();
    if (this.#isBegun && this.#grammar.isBare) this.#endUnclosed();
    else if (this.#isBegun) {
      this.#name = '';
      this.#next = this.#grammar.isLines ? this.#readBadLine : this.#readResync;
    } else if (this.#grammar.isBare) machine.textBlock(this.#start, 1);
    else machine.strayBlock(this.#start, this.#marker.length);
    return 'again';
  }

  #readArguments(): Step {
    const machine = this.#machine;
    const status = this.#brackets.scan(machine);
    if (status === 'more') return 'more';
    if (status === 'error') return this.#resync();
    if (!this.#isBegun) machine.beginBlock();
    this.#isBegun = true;
    deliverPythonCall(
      machine,
      this.#name,
      machine.since(this.#argumentsStart, machine.offset - 1),
      this.#callStart,
    );
    this.#listEnd = machine.offset;
    this.#name = '';
    this.#next = this.#readAfterCall;
    return 'again';
  }

  #readAfterCall(): Step {
    const machine = this.#machine;
    const { closers, all, isLines } = this.#grammar;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const character = machine.character;
    const marker = machine.match(all);
    if (marker === undefined) return 'more';
    if (character === ']' && !isLines) return this.#endList();
    if (character === ',' || (isLines && marker === null && character !== '')) {
      if (character === ',') machine.pos += 1;
      this.#next = this.#readName;
    } else if (marker === null || closers.match(marker, 0, true) === null) this.#endUnclosed();
    else {
      if (!isLines) machine.report('repaired_call', this.#start);
      machine.pos += marker.length;
      machine.endBlock();
    }
    return 'again';
  }

  #endList(): Step {
    this.#machine.pos += 1;
    this.#listEnd = this.#machine.offset;
    this.#next = this.#readEnd;
    return 'again';
  }

  #endUnclosed(): void {
    const machine = this.#machine;
    machine.rewind(this.#listEnd);
    machine.report('unclosed_call', this.#start, {}, this.#listEnd);
    machine.endBlock();
  }

  #readEnd(): Step {
    const machine = this.#machine;
    const { closers, isOpenEnded } = this.#grammar;
    if (isOpenEnded) {
      machine.endBlock();
      return 'again';
    }
    machine.skipSpace();
    const closer = machine.match(closers);
    if (closer === undefined) return 'more';
    if (closer === null) this.#endUnclosed();
    else {
      machine.pos += closer.length;
      machine.endBlock();
    }
    return 'again';
  }

  /** A second look at a broken call, without knowledge of strings. A bare list ends right here. */
  #resync(): Step {
    const machine = this.#machine;
    if (!this.#grammar.isBare) machine.rewind(this.#argumentsStart);
    this.#next = this.#readResync;
    return 'again';
  }

  /** A line that is no call costs only itself. */
  #readBadLine(): Step {
    const machine = this.#machine;
    const marker = machine.seek(this.#grammar.lineEnds);
    if (marker === undefined) return 'more';
    machine.dropCall('malformed_call', this.#callStart);
    this.#listEnd = machine.offset;
    this.#next = this.#readAfterCall;
    return 'again';
  }

  #readResync(): Step {
    const machine = this.#machine;
    const { closers, all, isBare } = this.#grammar;
    const marker = isBare ? null : machine.seek(all);
    if (marker === undefined) return 'more';
    if (marker !== null && closers.match(marker, 0, true) !== null) machine.pos += marker.length;
    machine.beginBlock();
    machine.dropCall('malformed_call', this.#callStart, {
      name: this.#name || undefined,
    });
    machine.endBlock();
    return 'again';
  }
}

/** Nothing but white space since the last line break, block or the start. */
function isAtLineStart({ isAfterBlock, isStarted, space }: TextJoiner): boolean {
  return !isStarted || isAfterBlock || space.includes('\n');
}
