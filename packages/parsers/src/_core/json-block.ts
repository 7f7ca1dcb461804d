import { type EnvelopeKeys, EnvelopeReader, usualKeys } from './envelope.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import { JsonScanner } from './json-scanner.ts';
import type { Machine } from './machine.ts';
import { type MarkerSet, markersOf } from './markers.ts';

/** Calls as JSON objects behind an opening marker: one, several, or an array of them. */
export interface JsonBlockGrammar {
  /** Closing markers. None: the block ends with its JSON. */
  readonly closers: readonly string[];
  /** Markers before which a broken block ends. */
  readonly openers: readonly string[];
  /** Default `name` and `arguments` or `parameters`. */
  readonly keys?: EnvelopeKeys;
  /** What an opening marker without a body is. Default `stray`. */
  readonly withoutBody?: 'stray' | 'text';
  /** Only an array is a body. Default false. */
  readonly arrayOnly?: boolean;
}

interface CompiledGrammar {
  readonly grammar: JsonBlockGrammar;
  readonly closers: MarkerSet<string>;
  readonly all: MarkerSet<string>;
  readonly keys: EnvelopeKeys;
}

type Phase = 'start' | 'bracket' | 'item' | 'element' | 'between' | 'after' | 'surplus' | 'resync';

/** The reader of blocks of this grammar. */
export function jsonBlock(grammar: JsonBlockGrammar): OpenBlock {
  const compiled: CompiledGrammar = {
    grammar,
    closers: markersOf(grammar.closers),
    all: markersOf([...grammar.closers, ...grammar.openers]),
    keys: grammar.keys ?? usualKeys,
  };
  return (machine, start, marker) => new JsonBlockReader(machine, compiled, start, marker.length);
}

class JsonBlockReader implements BlockReader {
  private phase: Phase = 'start';
  private isArray = false;
  private hasComma = false;
  /** No item is complete yet: a broken block is reported from its marker on. */
  private isFirst = true;
  /** Where the current item, or the whole body, begins: a second look goes back to it. */
  private itemStart: number;
  private bodyEnd = 0;
  private readonly envelope: EnvelopeReader;
  private element: JsonScanner | null = null;
  private readonly machine: Machine;
  private readonly compiled: CompiledGrammar;
  private readonly start: number;
  private readonly markerLength: number;

  constructor(machine: Machine, compiled: CompiledGrammar, start: number, markerLength: number) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.markerLength = markerLength;
    this.itemStart = start + markerLength;
    this.envelope = new EnvelopeReader(machine, compiled.keys);
    machine.keepFrom(start);
  }

  step(): Step {
    switch (this.phase) {
      case 'start':
        return this.readStart();
      case 'bracket':
        return this.readBracket();
      case 'item':
        return this.readItem();
      case 'element':
        return this.readElement();
      case 'between':
        return this.readBetween();
      case 'after':
        return this.readAfter();
      case 'surplus':
        return this.readSurplus();
      case 'resync':
        return this.readResync();
    }
  }

  cut(): void {
    const { machine } = this;
    if (this.phase === 'item' && this.envelope.isInString && this.hasLaterMarker()) {
      this.resync();
      return;
    }
    machine.beginBlock();
    machine.dropCall(
      'truncated_call',
      'the text ends inside a call',
      this.cutStart(),
      machine.offset,
      this.named(),
    );
    machine.pos = machine.text.length;
    machine.endBlock();
  }

  private named(): { name?: string } {
    const name = this.phase === 'item' ? this.envelope.name : undefined;
    return name === undefined ? {} : { name };
  }

  private cutStart(): number {
    return this.isFirst ? this.start : this.itemStart;
  }

  private readStart(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return 'more';
    const character = machine.text.charAt(machine.pos);
    if (character === '[') {
      machine.pos += 1;
      this.phase = 'bracket';
    } else if (character === '{' && this.compiled.grammar.arrayOnly !== true) {
      machine.beginBlock();
      this.beginItem();
    } else this.abandon();
    return 'again';
  }

  private abandon(): void {
    const { machine } = this;
    if (this.compiled.grammar.withoutBody === 'text')
      machine.textBlock(this.start, this.markerLength);
    else machine.strayBlock(this.start, this.markerLength);
  }

  private readBracket(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return 'more';
    const character = machine.text.charAt(machine.pos);
    if (character !== '{' && character !== ']') {
      this.abandon();
      return 'again';
    }
    this.isArray = true;
    machine.beginBlock();
    if (character === '{') this.beginItem();
    else this.endArray();
    return 'again';
  }

  private beginItem(): void {
    // Complete items stay as they are, so a second look never goes back beyond them.
    if (!this.isFirst) this.machine.keepFrom(this.machine.offset);
    this.itemStart = this.machine.offset;
    this.envelope.begin();
    this.phase = 'item';
  }

  private readItem(): Step {
    const status = this.envelope.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return this.readError();
    this.endItem();
    return 'again';
  }

  private endItem(): void {
    this.isFirst = false;
    this.envelope.deliver();
    this.bodyEnd = this.machine.offset;
    this.hasComma = false;
    this.phase = 'between';
  }

  /** An illegal character: perhaps the closing marker came too early. */
  private readError(): Step {
    const { machine, compiled } = this;
    const closer = compiled.closers.at(machine.text, machine.pos, machine.isLast);
    if (closer === null && !machine.isLast && compiled.closers.isCut(machine.text, machine.pos))
      return 'more';
    if (closer !== null && !this.isArray && this.envelope.closeMissing()) this.endItem();
    else this.resync();
    return 'again';
  }

  private readBetween(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return this.readAfter();
    const character = machine.text.charAt(machine.pos);
    if (character === '{') this.beginItem();
    else if (character === ',' || character === ';') {
      machine.pos += 1;
      this.hasComma = true;
    } else if (!this.isArray) this.phase = 'after';
    else if (character === ']') this.endArray();
    else if (this.hasComma) this.beginElement();
    else return this.readArrayEnd();
    return 'again';
  }

  /** In an array something else than a comma or the bracket came: perhaps the closing marker. */
  private readArrayEnd(): Step {
    const { machine, compiled } = this;
    const marker = compiled.all.at(machine.text, machine.pos, machine.isLast);
    if (marker === null && !machine.isLast && compiled.all.isCut(machine.text, machine.pos))
      return 'more';
    if (marker === null) this.resync();
    else {
      if (compiled.closers.at(machine.text, machine.pos, true) !== null)
        this.envelope.reportRepair();
      this.phase = 'after';
    }
    return 'again';
  }

  private endArray(): void {
    if (this.hasComma) this.envelope.reportRepair();
    this.machine.pos += 1;
    this.bodyEnd = this.machine.offset;
    this.isArray = false;
    this.phase = 'after';
  }

  private beginElement(): void {
    this.isFirst = false;
    const { options, offset } = this.machine;
    this.element = new JsonScanner(options.repair ?? true, options.maxDepth ?? 1000);
    this.itemStart = offset;
    this.machine.keepFrom(offset);
    this.phase = 'element';
  }

  /** An element that is no object costs only itself. */
  private readElement(): Step {
    const { machine, element } = this;
    const status = element?.scan(machine) ?? 'error';
    if (status === 'more') return 'more';
    if (status === 'error') this.resync();
    else {
      machine.dropCall(
        'malformed_call',
        'an element of the call list is no object',
        this.itemStart,
        machine.offset,
      );
      this.bodyEnd = machine.offset;
      this.hasComma = false;
      this.phase = 'between';
    }
    return 'again';
  }

  private readAfter(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const { text, pos } = machine;
    const closer = compiled.closers.at(text, pos, machine.isLast);
    if (closer !== null) {
      machine.pos += closer.text.length;
      machine.endBlock();
      return 'again';
    }
    if (!machine.isLast && compiled.closers.isCut(text, pos)) return 'more';
    if (text.charAt(pos) === '}' || text.charAt(pos) === ']') this.phase = 'surplus';
    else this.endUnclosed();
    return 'again';
  }

  /** Surplus brackets are forgiven when the closing marker or the next object follows. */
  private readSurplus(): Step {
    const { machine, compiled } = this;
    if (machine.options.repair === false) return this.endUnclosed();
    while (machine.skipSpace() && isCloser(machine.text, machine.pos)) machine.pos += 1;
    const { text, pos } = machine;
    if (!machine.isLast && compiled.closers.isCut(text, pos)) return 'more';
    const closer = compiled.closers.at(text, pos, machine.isLast);
    if (closer === null && text.charAt(pos) !== '{') return this.endUnclosed();
    this.envelope.reportRepair();
    if (closer !== null) this.phase = 'after';
    else this.beginItem();
    return 'again';
  }

  private endUnclosed(): Step {
    const { machine } = this;
    machine.rewind(this.bodyEnd);
    if (this.compiled.grammar.closers.length > 0) {
      machine.report(
        'unclosed_call',
        'the closing marker of a call is missing',
        this.start,
        this.bodyEnd,
      );
    }
    machine.endBlock();
    return 'again';
  }

  // ---- a second look at a broken block, without knowledge of strings ----

  private hasLaterMarker(): boolean {
    const raw = this.machine.since(this.itemStart);
    return this.compiled.all.seek(raw, 0, true) < raw.length;
  }

  private resync(): void {
    this.machine.rewind(this.itemStart);
    this.phase = 'resync';
  }

  private readResync(): Step {
    const { machine, compiled } = this;
    machine.pos = compiled.all.seek(machine.text, machine.pos, machine.isLast);
    const marker = compiled.all.at(machine.text, machine.pos, machine.isLast);
    if (marker === null && !machine.isLast) return 'more';
    if (marker !== null && compiled.grammar.closers.includes(marker.text))
      machine.pos += marker.text.length;
    const name = this.envelope.name;
    machine.dropCall(
      'malformed_call',
      'the JSON of a call is broken',
      this.cutStart(),
      machine.offset,
      name === undefined ? {} : { name },
    );
    machine.endBlock();
    return 'again';
  }
}

function isCloser(text: string, index: number): boolean {
  const character = text.charAt(index);
  return character === '}' || character === ']';
}
