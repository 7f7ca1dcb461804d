import { endBefore } from '../end-before.ts';
import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { SectionFiller } from '../section-filler.ts';
import { tagAt } from '../tag-at.ts';
import { trimSpace } from '../whitespace.ts';
import {
  type CompiledKeyValue,
  compileKeyValue,
  type KeyValueGrammar,
} from './key-value-grammar.ts';
import { ParameterWriter } from './parameter-writer.ts';
import { ValueReader } from './value-reader.ts';

/** The reader of calls of this grammar, and of sections if it has them. */
export function keyValueBlock(grammar: KeyValueGrammar): OpenBlock {
  const compiled = compileKeyValue(grammar);
  return (machine, start, marker) => new KeyValueReader(machine, compiled, start, marker);
}

class KeyValueReader implements BlockReader {
  /** Reads the part that comes next. */
  private next: () => Step = this.readNameStart;
  private name = '';
  private key = '';
  /** Where the name begins, or the key. */
  private partStart = 0;
  private hasCall = false;
  /** Where the call begins, or the section before its first call. */
  private start: number;
  private marker: string;
  private readonly isSection: boolean;
  private readonly writer: ParameterWriter;
  private readonly value: ValueReader;
  private readonly filler: SectionFiller;
  private readonly machine: Machine;
  private readonly compiled: CompiledKeyValue;

  constructor(machine: Machine, compiled: CompiledKeyValue, start: number, marker: string) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.marker = marker;
    this.isSection = marker === compiled.grammar.section?.[0];
    this.writer = new ParameterWriter(machine, false);
    this.value = new ValueReader(machine, compiled.values, this.writer, trimSpace);
    this.filler = new SectionFiller(machine);
    if (!this.isSection) return;
    machine.beginBlock();
    this.next = this.readSection;
  }

  step(): Step {
    return this.next();
  }

  cut(): void {
    const isBetween = this.next === this.readSection && this.hasCall;
    if (this.next === this.readName) this.name = this.machine.since(this.partStart);
    if (isBetween) {
      this.filler.report();
      this.machine.endBlock();
    } else this.machine.truncate(this.start, { name: this.name });
  }

  /** To the next call or the end of the section. */
  private readSection(): Step {
    const { machine, compiled } = this;
    const tag = this.filler.seek(compiled.inSection);
    if (!tag) return 'more';
    this.filler.report();
    const start = machine.offset;
    if (tag === compiled.grammar.open) this.openCall(start, tag);
    machine.pos += tag.length;
    if (tag !== compiled.grammar.open) machine.endBlock();
    return 'again';
  }

  private openCall(start: number, tag: string): void {
    this.start = start;
    this.marker = tag;
    this.name = '';
    this.next = this.readNameStart;
  }

  /** The call is over: on with its section, or with ordinary text. */
  private leave(): void {
    this.hasCall = true;
    if (this.isSection) this.next = this.readSection;
    else this.machine.endBlock();
  }

  private readNameStart(): Step {
    const { machine } = this;
    if (!machine.skipSpace()) return 'more';
    this.partStart = machine.offset;
    this.next = this.readName;
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

  /** White space, and a tag that may follow a name: else there is no call here. */
  private readAfterName(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const tag = machine.match(compiled.afterName);
    if (tag === undefined) return 'more';
    if (tag !== null && this.name !== '') this.begin(tag);
    else if (machine.isLast && tagAt(machine, compiled.afterName) === undefined) this.cut();
    else this.abandon();
    return 'again';
  }

  /** No call begins here. */
  private abandon(): void {
    const { machine, start, marker } = this;
    if (this.isSection) {
      machine.rewind(start + marker.length);
      machine.report('stray_marker', start, { raw: marker });
      this.leave();
    } else machine.strayBlock(start, marker);
  }

  private begin(tag: string): void {
    const { machine, compiled } = this;
    machine.beginBlock();
    this.writer.beginCall(this.name, this.start);
    if (tag === compiled.grammar.nameEnd) machine.pos += tag.length;
    this.next = this.readPairs;
  }

  private readPairs(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const tag = machine.match(compiled.between);
    if (tag === undefined) return 'more';
    if (tag === null) this.drop();
    else if (tag === compiled.grammar.key[0]) {
      machine.pos += tag.length;
      this.partStart = machine.offset;
      this.next = this.readKey;
    } else this.endCall(tag === compiled.grammar.close);
    return 'again';
  }

  private endCall(isClosed: boolean): void {
    if (isClosed) this.machine.pos += this.compiled.grammar.close.length;
    this.finishCall();
    if (!isClosed) this.machine.report('unclosed_call', this.start);
    this.leave();
  }

  private finishCall(): void {
    this.writer.endCall();
    const isLone = this.compiled.grammar.section !== undefined && !this.isSection;
    if (isLone) this.machine.report('missing_wrapper', this.start);
  }

  private readKey(): Step {
    const { machine, compiled } = this;
    const tag = machine.seek(compiled.inKey);
    if (!tag) return 'more';
    if (tag === compiled.grammar.key[1]) {
      this.key = machine.since(this.partStart);
      machine.pos += tag.length;
      this.next = this.readBeforeValue;
    } else this.drop();
    return 'again';
  }

  /** Between key and value: white space, or a line break that the model spelled `\n`. */
  private readBeforeValue(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const rest = machine.text.slice(machine.pos, machine.pos + compiled.grammar.value[0].length);
    const open = compiled.grammar.value[0];
    if (rest === open) {
      machine.pos += open.length;
      this.writer.beginParameter(trimSpace(this.key));
      this.value.begin();
      this.next = this.readValue;
    } else if (rest.startsWith('\\n')) machine.pos += 2;
    else if (!machine.isLast && (rest === '\\' || open.startsWith(rest))) return 'more';
    else if (machine.isLast && open.startsWith(rest)) this.cut();
    else this.drop();
    return 'again';
  }

  private readValue(): Step {
    const end = this.value.read();
    if (end === 'more') return 'more';
    this.writer.endParameter(this.value.end);
    if (end !== 'closed') this.writer.isRepaired = true;
    this.next = this.readPairs;
    if (end === 'callClosed') {
      this.finishCall();
      this.leave();
    } else if (end === 'header') {
      this.key = this.value.header;
      this.next = this.readBeforeValue;
    }
    return 'again';
  }

  private drop(): void {
    this.machine.rewind(this.start + this.marker.length);
    this.next = this.readResync;
  }

  private readResync(): Step {
    const { machine, compiled } = this;
    const tag = machine.seek(compiled.resync);
    if (tag === undefined) return 'more';
    if (tag === compiled.grammar.close) machine.pos += tag.length;
    machine.dropCall('malformed_call', this.start, { name: this.name });
    this.leave();
    return 'again';
  }
}

const notInName = /[\s<>{}"[\]]/g;
