import { EnvelopeReader } from './envelope.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';

/** Calls as JSON objects behind an opening marker: one, several, or an array of them. */
export interface JsonBlockGrammar {
  /** Closing markers. None: the block ends with its JSON. */
  readonly closers: readonly string[];
  /** Markers before which a broken block ends. */
  readonly openers: readonly string[];
  /** Reads one object. Default: `name`, and `arguments` or `parameters`. */
  readonly envelope?: (machine: Machine) => EnvelopeReader;
  /** What an opening marker without a body is. Default `stray`. */
  readonly withoutBody?: 'stray' | 'text';
}

interface CompiledGrammar {
  readonly grammar: JsonBlockGrammar;
  readonly closers: MarkerSet;
  readonly all: MarkerSet;
}

/** The reader of blocks of this grammar. */
export function jsonBlock(grammar: JsonBlockGrammar): OpenBlock {
  const compiled: CompiledGrammar = {
    grammar,
    closers: new MarkerSet(grammar.closers),
    all: new MarkerSet([...grammar.closers, ...grammar.openers]),
  };
  return (machine, start, marker) => new JsonBlockReader(machine, compiled, start, marker.length);
}

class JsonBlockReader implements BlockReader {
  /** Reads the part of the block that comes next. */
  #next: () => Step = this.#readStart;
  #isArray = false;
  /** A comma stands between the last item and the cursor. */
  #hasComma = false;
  /** Brackets are missing from the body, or stand behind it. */
  #isRepaired = false;
  /** Where a second look at the item begins: a broken first item is reported with its marker. */
  #itemStart: number;
  #bodyEnd = 0;
  readonly #envelope: EnvelopeReader;
  readonly #machine: Machine;
  readonly #compiled: CompiledGrammar;
  readonly #start: number;
  readonly #markerLength: number;

  constructor(machine: Machine, compiled: CompiledGrammar, start: number, markerLength: number) {
    this.#machine = machine;
    this.#compiled = compiled;
    this.#start = start;
    this.#markerLength = markerLength;
    this.#itemStart = start;
    this.#envelope = compiled.grammar.envelope?.(machine) ?? new EnvelopeReader(machine);
    machine.keepFrom(start);
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const compiled = this.#compiled;
    const envelope = this.#envelope;
    const isItem = this.#next === this.#readItem;
    if (isItem && envelope.isInString && machine.holds(compiled.all, envelope.start))
      this.#resync();
    else machine.truncate(this.#callStart, { name: isItem ? envelope.name : undefined });
  }

  /** Of an object with several calls the complete ones are done with. */
  get #callStart(): number {
    return Math.max(this.#itemStart, this.#envelope.deliveredUntil);
  }

  #readStart(): Step {
    const machine = this.#machine;
    const compiled = this.#compiled;
    if (!machine.skipSpace()) return 'more';
    const character = machine.character;
    if (character === '{') {
      machine.beginBlock();
      this.#beginItem();
    } else if (character === '[' && !this.#isArray) {
      machine.pos += 1;
      this.#isArray = true;
    } else if (character === ']' && this.#isArray) {
      machine.beginBlock();
      this.#endArray();
      machine.note('empty_block', this.#start);
    } else if (compiled.grammar.withoutBody === 'text')
      machine.textBlock(this.#start, this.#markerLength);
    else machine.strayBlock(this.#start, this.#markerLength);
    return 'again';
  }

  #beginItem(): void {
    this.#envelope.begin();
    this.#next = this.#readItem;
  }

  #readItem(): Step {
    const status = this.#envelope.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return this.#readError();
    this.#endItem();
    return 'again';
  }

  #endItem(): void {
    this.#envelope.deliver();
    this.#bodyEnd = this.#machine.offset;
    this.#hasComma = false;
    this.#next = this.#readBetween;
  }

  /** An illegal character: perhaps the closing marker came too early. */
  #readError(): Step {
    const closer = this.#machine.match(this.#compiled.closers);
    if (closer === undefined) return 'more';
    if (closer !== null && !this.#isArray && this.#envelope.closeMissing()) this.#endItem();
    else this.#resync();
    return 'again';
  }

  #readBetween(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace()) return this.#readAfter();
    const character = machine.character;
    if (character === ',' || character === ';') {
      machine.pos += 1;
      this.#hasComma = true;
    } else if (character === ']' && this.#isArray) this.#endArray();
    else if (character === '{' || (this.#isArray && this.#hasComma)) this.#beginNextItem();
    else this.#next = this.#readAfter;
    return 'again';
  }

  /** Complete items stay as they are, so a second look never goes back beyond them. */
  #beginNextItem(): void {
    this.#itemStart = this.#machine.offset;
    this.#machine.keepFrom(this.#itemStart);
    this.#beginItem();
  }

  #endArray(): void {
    if (this.#hasComma && !this.#canRepair()) return;
    this.#machine.pos += 1;
    this.#bodyEnd = this.#machine.offset;
    this.#isArray = false;
    this.#next = this.#readAfter;
  }

  /** A comma too many, a bracket too many or missing: a repair, or else the item is broken. */
  #canRepair(): boolean {
    this.#isRepaired = this.#machine.options.repair;
    if (!this.#isRepaired) this.#resync();
    return this.#isRepaired;
  }

  #readAfter(): Step {
    const machine = this.#machine;
    const compiled = this.#compiled;
    const hasText = machine.skipSpace();
    const marker = machine.match(compiled.all);
    if (marker === undefined) return 'more';
    const isClosed = marker !== null && compiled.grammar.closers.includes(marker);
    const character = machine.character;
    if (hasText && this.#isArray && marker === null) this.#resync();
    else if (isClosed) {
      if (this.#isArray && !this.#canRepair()) return 'again';
      if (this.#isRepaired) this.#envelope.reportRepair();
      machine.pos += marker.length;
      machine.endBlock();
    } else if (machine.options.repair && (character === '}' || character === ']')) {
      machine.pos += 1;
      this.#isRepaired = true;
    } else if (this.#isRepaired && character === '{') {
      this.#envelope.reportRepair();
      this.#isRepaired = false;
      this.#beginNextItem();
    } else this.#endUnclosed();
    return 'again';
  }

  #endUnclosed(): void {
    const machine = this.#machine;
    const bodyEnd = this.#bodyEnd;
    machine.rewind(bodyEnd);
    if (this.#isArray || this.#compiled.grammar.closers.length > 0)
      machine.report('unclosed_call', this.#start, {}, bodyEnd);
    machine.endBlock();
  }

  /** A second look at a broken item, without knowledge of strings. */
  #resync(): void {
    this.#machine.rewind(Math.max(this.#callStart, this.#start + this.#markerLength));
    this.#next = this.#readResync;
  }

  #readResync(): Step {
    const machine = this.#machine;
    const marker = machine.seek(this.#compiled.all);
    if (marker === undefined) return 'more';
    if (machine.match(this.#compiled.closers)) machine.pos += marker?.length ?? 0;
    const { name } = this.#envelope;
    machine.dropCall('malformed_call', this.#callStart, { name });
    machine.endBlock();
    return 'again';
  }
}
