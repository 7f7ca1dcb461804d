import { BracketScanner } from './bracket-scanner.ts';
import { bareCallArray } from './call-array.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { type MarkerSet, markersOf } from './markers.ts';
import { readPythonArguments } from './python-call.ts';
import { parameterNames, parametersOf } from './schema.ts';

/** A list of Python calls, `[f(a=1), g()]`. */
export interface PythonListGrammar {
  /** Closing markers behind the list; none for a bare list. */
  readonly closers: readonly string[];
}

type Phase = 'start' | 'name' | 'arguments' | 'afterCall' | 'end';

/** A bare list: the marker is its bracket, which counts only at the start of a line. */
export function barePythonList(grammar: PythonListGrammar): OpenBlock {
  const closers = markersOf(grammar.closers);
  return (machine, start) =>
    machine.isAtLineStart ? new PythonListReader(machine, closers, start, 1, true) : null;
}

/** A list between markers. */
export function pythonListBlock(grammar: PythonListGrammar): OpenBlock {
  const closers = markersOf(grammar.closers);
  return (machine, start, marker) =>
    new PythonListReader(machine, closers, start, marker.length, false);
}

class PythonListReader implements BlockReader {
  private phase: Phase;
  private isBegun = false;
  private json: BlockReader | null = null;
  private name = '';
  private callStart: number;
  private argumentsStart = 0;
  private listEnd = 0;
  private readonly brackets = new BracketScanner();
  private readonly machine: Machine;
  private readonly closers: MarkerSet<string>;
  private readonly start: number;
  private readonly markerLength: number;
  private readonly isBare: boolean;

  constructor(
    machine: Machine,
    closers: MarkerSet<string>,
    start: number,
    markerLength: number,
    isBare: boolean,
  ) {
    this.machine = machine;
    this.closers = closers;
    this.start = start;
    this.callStart = start;
    this.markerLength = markerLength;
    this.isBare = isBare;
    this.phase = isBare ? 'name' : 'start';
    machine.keepFrom(start);
  }

  step(): Step {
    if (this.json !== null) return this.json.step();
    switch (this.phase) {
      case 'start':
        return this.readStart();
      case 'name':
        return this.readName();
      case 'arguments':
        return this.readArguments();
      case 'afterCall':
        return this.readAfterCall();
      case 'end':
        return this.readEnd();
    }
  }

  cut(): void {
    const { machine } = this;
    if (this.json !== null) {
      this.json.cut();
      return;
    }
    const isCall = this.isBegun || this.phase === 'arguments' || !this.isBare;
    if (!isCall) {
      machine.textBlock(this.start, this.markerLength);
      return;
    }
    machine.truncate(this.callStart, { name: this.name });
  }

  private begin(): void {
    if (!this.isBegun) this.machine.beginBlock();
    this.isBegun = true;
  }

  private readStart(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return 'more';
    if (machine.text.charAt(machine.pos) === '[') {
      machine.pos += 1;
      this.phase = 'name';
    } else machine.strayBlock(this.start, this.markerLength);
    return 'again';
  }

  /** `name(`, dots allowed; anything else means that this is no list of calls. */
  private readName(): Step {
    const { machine } = this;
    if (this.name === '' && !machine.skipSpace()) return 'more';
    if (this.name === '') this.callStart = this.isBegun ? machine.offset : this.start;
    const from = machine.pos;
    machine.pos = nameEnd(machine.text, from);
    this.name += machine.text.slice(from, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    if (this.isJson()) return this.becomeJson();
    const isCall = machine.text.charAt(machine.pos) === '(' && isCallName(this.name);
    if (!isCall) return this.abandon();
    machine.pos += 1;
    this.argumentsStart = machine.offset;
    this.brackets.begin();
    this.phase = 'arguments';
    return 'again';
  }

  /** A JSON array of calls in place of Python. */
  private isJson(): boolean {
    const { machine } = this;
    return (
      this.isBare && !this.isBegun && this.name === '' && machine.text.charAt(machine.pos) === '{'
    );
  }

  private becomeJson(): Step {
    this.json = bareCallArray(this.machine, this.start);
    return 'again';
  }

  private abandon(): Step {
    const { machine } = this;
    if (this.isBegun && this.name === '' && machine.text.charAt(machine.pos) === ']')
      return this.endList();
    if (this.isBegun) this.endUnclosed();
    else if (this.isBare) machine.textBlock(this.start, this.markerLength);
    else machine.strayBlock(this.start, this.markerLength);
    return 'again';
  }

  private readArguments(): Step {
    const { machine } = this;
    if (this.brackets.scan(machine) === 'more') return 'more';
    this.begin();
    this.deliver(machine.since(this.argumentsStart, machine.offset - 1));
    this.listEnd = machine.offset;
    machine.keepFrom(machine.offset);
    this.name = '';
    this.phase = 'afterCall';
    return 'again';
  }

  private deliver(text: string): void {
    const { machine, name, callStart } = this;
    const call = readPythonArguments(
      text,
      parameterNames(parametersOf(machine.options.tools, name)),
    );
    if (call.kind !== 'call') {
      machine.dropCall(call.kind, callStart, machine.offset, { name });
      return;
    }
    machine.call(name, null, call.json, callStart);
    if (call.hasPositional) {
      machine.report('repaired_call', callStart, machine.offset, { name });
    }
    for (const parameter of call.repeated) {
      machine.report('duplicate_key', callStart, machine.offset, { name, parameter });
    }
  }

  private readAfterCall(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) {
      if (!machine.isLast) return 'more';
      this.endUnclosed();
      return 'again';
    }
    const character = machine.text.charAt(machine.pos);
    if (character === ']') return this.endList();
    if (character === ',') {
      machine.pos += 1;
      this.phase = 'name';
    } else this.endUnclosed();
    return 'again';
  }

  private endList(): Step {
    this.machine.pos += 1;
    this.listEnd = this.machine.offset;
    this.phase = 'end';
    return 'again';
  }

  private endUnclosed(): void {
    const { machine } = this;
    machine.rewind(this.listEnd);
    machine.report('unclosed_call', this.start, this.listEnd);
    machine.endBlock();
  }

  private readEnd(): Step {
    const { machine, closers } = this;
    if (closers.isEmpty) {
      machine.endBlock();
      return 'again';
    }
    machine.skipSpace();
    const closer = machine.match(closers);
    if (closer === undefined) return 'more';
    if (closer === null) this.endUnclosed();
    else {
      machine.pos += closer.length;
      machine.endBlock();
    }
    return 'again';
  }
}

const notInName = /[\s()[\]{}<>"',;:=]/g;

function nameEnd(text: string, from: number): number {
  notInName.lastIndex = from;
  return notInName.exec(text)?.index ?? text.length;
}

function isCallName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*(?:[.-][\p{L}\p{N}_]+)*$/u.test(name);
}
