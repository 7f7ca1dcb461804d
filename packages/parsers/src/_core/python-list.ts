import { BracketScanner } from './bracket-scanner.ts';
import { bareCallArray } from './call-array.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import { jsonBlock } from './json-block.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import { readPythonArguments } from './python-call.ts';
import { parameterNames, parametersOf } from './schema.ts';
import type { TextJoiner } from './text-joiner.ts';

/** A list of Python calls, `[f(a=1), g()]`. */
export interface PythonListGrammar {
  /** Closing markers behind the list; none for a bare list. */
  readonly closers: readonly string[];
  /** Markers before which a broken list ends. Default none. */
  readonly openers?: readonly string[];
  /** Calls follow each other line by line, without brackets. Default false. */
  readonly isLines?: boolean;
}

interface CompiledGrammar {
  readonly closers: MarkerSet;
  /** No closing marker: the list ends with its bracket. */
  readonly isOpenEnded: boolean;
  readonly all: MarkerSet;
  readonly lineEnds: MarkerSet;
  readonly isLines: boolean;
  readonly isBare: boolean;
  /** Reads JSON in place of Python. */
  readonly json: OpenBlock;
}

type Phase = 'start' | 'name' | 'arguments' | 'afterCall' | 'end' | 'badLine' | 'resync';

/** A bare list: the marker is its bracket, which counts only at the start of a line. */
export function barePythonList(grammar: PythonListGrammar): OpenBlock {
  const compiled = compile(grammar, bareCallArray, true);
  return (machine, start) =>
    isAtLineStart(machine.content) ? new PythonListReader(machine, compiled, start, '[') : null;
}

/** A list between markers. */
export function pythonListBlock(grammar: PythonListGrammar): OpenBlock {
  const json = jsonBlock({ closers: grammar.closers, openers: grammar.openers ?? [] });
  const compiled = compile(grammar, json, false);
  return (machine, start, marker) => new PythonListReader(machine, compiled, start, marker);
}

function compile(grammar: PythonListGrammar, json: OpenBlock, isBare: boolean): CompiledGrammar {
  const { closers, openers = [], isLines = false } = grammar;
  const stops = [...closers, ...openers];
  const lineEnds = new MarkerSet(['\n', ...stops]);
  return {
    closers: new MarkerSet(closers),
    isOpenEnded: closers.length === 0,
    all: new MarkerSet(stops),
    lineEnds,
    isLines,
    isBare,
    json,
  };
}

class PythonListReader implements BlockReader {
  #phase: Phase;
  #isBegun = false;
  #json: BlockReader | null = null;
  #name = '';
  #callStart: number;
  #argumentsStart = 0;
  #listEnd = 0;
  readonly #brackets: BracketScanner;
  readonly #machine: Machine;
  readonly #grammar: CompiledGrammar;
  readonly #start: number;
  readonly #marker: string;

  constructor(machine: Machine, grammar: CompiledGrammar, start: number, marker: string) {
    this.#machine = machine;
    this.#grammar = grammar;
    this.#brackets = new BracketScanner(grammar.all);
    this.#start = start;
    this.#callStart = start;
    this.#marker = marker;
    this.#phase = grammar.isBare || grammar.isLines ? 'name' : 'start';
  }

  step(): Step {
    if (this.#json !== null) return this.#json.step();
    switch (this.#phase) {
      case 'start':
        return this.#readStart();
      case 'name':
        return this.#readName();
      case 'arguments':
        return this.#readArguments();
      case 'afterCall':
        return this.#readAfterCall();
      case 'end':
        return this.#readEnd();
      case 'badLine':
        return this.#readBadLine();
      case 'resync':
        return this.#readResync();
    }
  }

  cut(): void {
    const machine = this.#machine;
    const { isBare, all } = this.#grammar;
    const isInArguments = this.#phase === 'arguments';
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
      this.#phase = 'name';
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
    machine.pos = nameEnd(machine.text, from);
    this.#name += machine.text.slice(from, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    const isCall = machine.character === '(' && isCallName(this.#name);
    if (!isCall) return this.#abandon();
    machine.pos += 1;
    this.#argumentsStart = machine.offset;
    this.#brackets.begin(')');
    this.#phase = 'arguments';
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
      this.#phase = this.#grammar.isLines ? 'badLine' : 'resync';
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
    this.#phase = 'afterCall';
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
      this.#phase = 'name';
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
    this.#phase = 'end';
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
    this.#phase = 'resync';
    return 'again';
  }

  /** A line that is no call costs only itself. */
  #readBadLine(): Step {
    const machine = this.#machine;
    const marker = machine.seek(this.#grammar.lineEnds);
    if (marker === undefined) return 'more';
    machine.dropCall('malformed_call', this.#callStart);
    this.#listEnd = machine.offset;
    this.#phase = 'afterCall';
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

/** Hands over the call whose text between the brackets is this, or says why there is none. */
function deliverPythonCall(machine: Machine, name: string, text: string, start: number): void {
  const names = parameterNames(parametersOf(machine.options.tools, name));
  const call = readPythonArguments(text, names, machine.options.maxDepth);
  if (call.kind !== 'call') {
    machine.dropCall(call.kind, start, { name });
    return;
  }
  machine.call(name, null, call.json, start);
  if (call.hasPositional) machine.report('repaired_call', start, { name });
  for (const parameter of call.repeated) {
    machine.report('duplicate_key', start, { name, parameter });
  }
}

const notInName = /[\s()[\]{}<>"',;:=]/g;

/** Index of the first character that cannot stand in the name of a function. */
export function nameEnd(text: string, from: number): number {
  notInName.lastIndex = from;
  return notInName.exec(text)?.index ?? text.length;
}

export function isCallName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*(?:[.-][\p{L}\p{N}_]+)*$/u.test(name);
}

/** Nothing but white space since the last line break, block or the start. */
function isAtLineStart({ isAfterBlock, isStarted, space }: TextJoiner): boolean {
  return !isStarted || isAfterBlock || space.includes('\n');
}
