import { continueWith } from '../continue-with.ts';
import { endBefore } from '../end-before.ts';
import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { MarkerSet } from '../markers.ts';
import { ArgumentsReader } from './arguments.ts';
import { type JsonBlockGrammar, jsonBlock } from './json-block.ts';

/** A marker before `NAME[ARGS]{json}`, or before a JSON body as in `JsonBlockGrammar`. */
export interface NamedJsonGrammar extends JsonBlockGrammar {
  readonly argumentsMarker: string;
  readonly idMarker: string;
}

interface CompiledGrammar {
  readonly grammar: NamedJsonGrammar;
  readonly json: OpenBlock;
  readonly parts: MarkerSet;
  readonly openers: MarkerSet;
}

/** The reader of blocks of this grammar. */
export function namedJsonBlock(grammar: NamedJsonGrammar): OpenBlock {
  const compiled: CompiledGrammar = {
    grammar,
    json: jsonBlock(grammar),
    parts: new MarkerSet([grammar.argumentsMarker, grammar.idMarker, '{', ...grammar.openers]),
    openers: new MarkerSet(grammar.openers),
  };
  return (machine, start, marker) => new NamedJsonReader(machine, compiled, start, marker);
}

class NamedJsonReader implements BlockReader {
  /** Reads the part that comes next. */
  private next: () => Step = this.readStart;
  private name = '';
  /** Where the name begins, or the id. */
  private partStart = 0;
  private id: string | null = null;
  private bodyEnd = 0;
  private surplusEnd = 0;
  private call: ArgumentsReader;
  private readonly machine: Machine;
  private readonly compiled: CompiledGrammar;
  private readonly start: number;
  private readonly marker: string;

  constructor(machine: Machine, compiled: CompiledGrammar, start: number, marker: string) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.marker = marker;
    this.call = new ArgumentsReader(machine, start);
  }

  step(): Step {
    return this.next();
  }

  cut(): void {
    const { machine, compiled, start } = this;
    const isInString = this.next === this.readArguments && this.call.isInString;
    if (isInString && machine.holds(compiled.openers, start + this.marker.length)) this.resync();
    else machine.truncate(start, this.next === this.readArguments ? { name: this.call.name } : {});
  }

  private readStart(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return 'more';
    const { parts } = this.compiled;
    const { text, pos } = machine;
    const part = machine.match(parts);
    if (part === undefined) return 'more';
    if (part === '{' || (part === null && text.charAt(pos) === '[')) {
      machine.rewind(this.start + this.marker.length);
      continueWith(machine, this.compiled.json, this.start, this.marker);
    } else if (part === null && endBefore(notInName, text, pos) > pos) {
      this.partStart = machine.offset;
      this.next = this.readName;
    } else machine.strayBlock(this.start, this.marker);
    return 'again';
  }

  private readName(): Step {
    const { machine } = this;
    machine.pos = endBefore(notInName, machine.text, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    this.name = machine.since(this.partStart);
    this.next = this.readAfterName;
    return 'again';
  }

  /** White space, then what must follow a name. */
  private readAfterName(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const part = machine.match(compiled.parts);
    if (part === undefined) return 'more';
    if (part === compiled.grammar.idMarker) this.take(part, this.readId);
    else if (part === compiled.grammar.argumentsMarker) this.take(part, this.readBody);
    else if (part === '{') this.take('', this.readBody);
    else machine.strayBlock(this.start, this.marker);
    return 'again';
  }

  private take(part: string, next: () => Step): void {
    this.machine.beginBlock();
    this.machine.pos += part.length;
    this.partStart = this.machine.offset;
    this.next = next;
    this.call = new ArgumentsReader(this.machine, this.start, this.name, this.id);
  }

  private readId(): Step {
    const { machine, compiled } = this;
    const part = machine.seek(compiled.parts);
    if (!part) return 'more';
    this.id = machine.format.readId?.(machine.since(this.partStart).trim()) ?? null;
    this.take(part === compiled.grammar.argumentsMarker ? part : '', this.readBody);
    return 'again';
  }

  /** Arguments; none at all before the next marker or the end. */
  private readBody(): Step {
    const { machine, compiled } = this;
    const hasText = machine.skipSpace();
    const opener = machine.match(compiled.openers);
    if (opener === undefined) return 'more';
    if (hasText && opener === null) this.next = this.readArguments;
    else {
      this.call.deliverEmpty();
      machine.endBlock();
    }
    return 'again';
  }

  private readArguments(): Step {
    const status = this.call.scan();
    if (status === 'more') return 'more';
    if (status === 'error') this.resync();
    else {
      this.call.deliver();
      this.bodyEnd = this.machine.offset;
      this.surplusEnd = this.bodyEnd;
      this.next = this.readAfter;
    }
    return 'again';
  }

  /** Surplus brackets are forgiven when a marker or the end of the text follows. */
  private readAfter(): Step {
    const { machine } = this;
    const hasText = machine.skipSpace();
    if (!hasText && !machine.isLast) return 'more';
    const marker = machine.match(machine.format.textMarkers);
    if (marker === undefined) return 'more';
    const character = machine.character;
    if (machine.options.repair && (character === '}' || character === ']')) {
      machine.pos += 1;
      this.surplusEnd = machine.offset;
      return 'again';
    }
    const isForgiven = this.surplusEnd > this.bodyEnd && (marker !== null || !hasText);
    machine.rewind(isForgiven ? this.surplusEnd : this.bodyEnd);
    if (isForgiven) this.call.reportRepair();
    machine.endBlock();
    return 'again';
  }

  private resync(): void {
    this.machine.rewind(this.start + this.marker.length);
    this.next = this.readResync;
  }

  /** A broken call ends directly before the next marker. */
  private readResync(): Step {
    const { machine } = this;
    if (machine.seek(this.compiled.openers) === undefined) return 'more';
    machine.dropCall('invalid_arguments', this.start, { name: this.name });
    machine.endBlock();
    return 'again';
  }
}

/** Letters, digits, `_ . : -` and everything beyond ASCII may. */
const notInName = /[^\w.:\u0080-\uffff-]/g;
