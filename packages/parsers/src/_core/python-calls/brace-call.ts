import { endBefore } from '../end-before.ts';
import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { MarkerSet } from '../markers.ts';
import { tagAt } from '../tag-at.ts';
import { readBraceMembers } from './brace-members.ts';
import { BracketScanner } from './bracket-scanner.ts';

/** `OPEN call:NAME{key:value,...} CLOSE`, with bare keys and strings in quotes of its own. */
export interface BraceCallGrammar {
  readonly open: string;
  readonly close: string;
  /** Quotes of strings without escapes, such as `<escape>`; it begins with `<`. */
  readonly quote: string;
  /** Quoted values are text whose type the schema says. Default false: they are strings. */
  readonly isTyped?: boolean;
}

interface CompiledGrammar extends BraceCallGrammar {
  readonly prefix: MarkerSet;
  readonly closer: MarkerSet;
  readonly stops: MarkerSet;
  /** What the scanner of brackets looks for outside of strings. */
  readonly special: MarkerSet;
}

/** The reader of calls of this grammar. */
export function braceCallBlock(grammar: BraceCallGrammar): OpenBlock {
  const { open, close } = grammar;
  const compiled: CompiledGrammar = {
    ...grammar,
    prefix: new MarkerSet(['call:']),
    closer: new MarkerSet([close]),
    stops: new MarkerSet([open, close]),
    special: new MarkerSet([open, close, grammar.quote]),
  };
  return (machine, start) => new BraceCallReader(machine, compiled, start);
}

class BraceCallReader implements BlockReader {
  /** Reads the part that comes next. */
  #next: () => Step = this.#readPrefix;
  #name = '';
  #nameStart = -1;
  #bodyStart = 0;
  #bodyEnd = 0;
  readonly #brackets: BracketScanner;
  readonly #machine: Machine;
  readonly #grammar: CompiledGrammar;
  readonly #start: number;

  constructor(machine: Machine, grammar: CompiledGrammar, start: number) {
    this.#machine = machine;
    this.#grammar = grammar;
    this.#start = start;
    this.#brackets = new BracketScanner(grammar.special, grammar.quote);
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const isInBody = this.#next === this.#readBody;
    const isBroken =
      isInBody && this.#brackets.isInString && machine.holds(this.#grammar.stops, this.#bodyStart);
    if (isBroken) this.#resync();
    else machine.truncate(this.#start, isInBody ? { name: this.#name } : {});
  }

  #readPrefix(): Step {
    const machine = this.#machine;
    const { prefix } = this.#grammar;
    if (!machine.skipSpace()) return 'more';
    const found = machine.match(prefix);
    if (found === undefined) return 'more';
    if (found !== null) {
      machine.pos += found.length;
      this.#next = this.#readName;
    } else if (tagAt(machine, prefix) === undefined) this.cut();
    else this.#stray();
    return 'again';
  }

  #stray(): void {
    this.#machine.strayBlock(this.#start, this.#grammar.open);
  }

  #readName(): Step {
    const machine = this.#machine;
    if (this.#nameStart < 0) {
      if (!machine.skipSpace()) return 'more';
      this.#nameStart = machine.offset;
    }
    machine.pos = endBefore(notInName, machine.text, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    this.#name = machine.since(this.#nameStart);
    if (this.#name === '' || machine.character !== '{') this.#stray();
    else {
      machine.beginBlock();
      machine.pos += 1;
      this.#bodyStart = machine.offset;
      this.#brackets.begin('}');
      this.#next = this.#readBody;
    }
    return 'again';
  }

  #readBody(): Step {
    const machine = this.#machine;
    const status = this.#brackets.scan(machine);
    if (status === 'more') return 'more';
    if (status === 'error' || !this.#deliver()) this.#resync();
    else {
      this.#bodyEnd = machine.offset;
      this.#next = this.#readClose;
    }
    return 'again';
  }

  /** False: the body breaks the grammar. */
  #deliver(): boolean {
    const machine = this.#machine;
    const name = this.#name;
    const text = machine.since(this.#bodyStart, machine.offset - 1);
    const { quote, isTyped = false } = this.#grammar;
    const { tools, maxDepth } = machine.options;
    const body = readBraceMembers(text, quote, maxDepth, isTyped ? { tools, name } : null);
    if (body === null) return false;
    machine.call(name, null, body.json, this.#start);
    if (body.isRepaired) machine.report('repaired_call', this.#start, { name });
    for (const [code, parameter] of body.problems)
      machine.report(code, this.#start, { name, parameter });
    return true;
  }

  #readClose(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const closer = machine.match(this.#grammar.closer);
    if (closer === undefined) return 'more';
    if (closer === null) {
      machine.rewind(this.#bodyEnd);
      machine.report('unclosed_call', this.#start, {}, this.#bodyEnd);
    } else machine.pos += closer.length;
    machine.endBlock();
    return 'again';
  }

  #resync(): void {
    this.#machine.rewind(this.#bodyStart);
    this.#next = this.#readResync;
  }

  /** A broken call ends with its closing marker or before the next opening one. */
  #readResync(): Step {
    const machine = this.#machine;
    const marker = machine.seek(this.#grammar.stops);
    if (marker === undefined) return 'more';
    if (marker === this.#grammar.close) machine.pos += marker.length;
    machine.dropCall('malformed_call', this.#start, { name: this.#name });
    machine.endBlock();
    return 'again';
  }
}

const notInName = /[\s{}[\]()<>"',:=]/g;
