import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import { ParameterWriter } from './parameter-writer.ts';
import { SectionFiller } from './section-filler.ts';
import { type CompiledValueGrammar, compileValueGrammar, ValueReader } from './value-reader.ts';
import { trimSpace } from './whitespace.ts';

/** `OPEN name KEY k /KEY VALUE v /VALUE ... CLOSE`. */
export interface KeyValueGrammar {
  readonly open: string;
  readonly close: string;
  readonly key: readonly [open: string, close: string];
  readonly value: readonly [open: string, close: string];
  /** Tag behind the name, such as `<tool_sep>`. Default none. */
  readonly nameEnd?: string;
  /** Tags around a run of calls; text between the calls is dropped. Default none. */
  readonly section?: readonly [open: string, close: string];
}

interface CompiledGrammar {
  readonly grammar: KeyValueGrammar;
  readonly values: CompiledValueGrammar;
  readonly inSection: MarkerSet;
  readonly afterName: MarkerSet;
  readonly inKey: MarkerSet;
  readonly between: MarkerSet;
  readonly resync: MarkerSet;
}

type Phase = 'section' | 'name' | 'pairs' | 'key' | 'beforeValue' | 'value' | 'resync';

/** The reader of calls of this grammar, and of sections if it has them. */
export function keyValueBlock(grammar: KeyValueGrammar): OpenBlock {
  const { open, close, key, value, nameEnd, section } = grammar;
  const afterCall = section === undefined ? [open] : [open, section[1]];
  const outside = [close, ...afterCall];
  const compiled: CompiledGrammar = {
    grammar,
    values: compileValueGrammar({
      close: value[1],
      header: { open: key[0], end: key[1] },
      callCloses: [close],
      afterValue: [key[0], ...outside],
      afterCall,
    }),
    inSection: new MarkerSet(afterCall),
    afterName: new MarkerSet(nameEnd === undefined ? [key[0], close] : [nameEnd, key[0], close]),
    inKey: new MarkerSet([key[1], value[0], ...outside]),
    between: new MarkerSet([key[0], ...outside]),
    resync: new MarkerSet(outside),
  };
  return (machine, start, marker) => new KeyValueReader(machine, compiled, start, marker);
}

class KeyValueReader implements BlockReader {
  private phase: Phase = 'name';
  private name = '';
  private hasNameEnded = false;
  private key = '';
  private hasCall = false;
  /** Where the call begins, or the section before its first call. */
  private start: number;
  private markerLength: number;
  private readonly isSection: boolean;
  private readonly writer: ParameterWriter;
  private readonly value: ValueReader;
  private readonly filler: SectionFiller;
  private readonly machine: Machine;
  private readonly compiled: CompiledGrammar;

  constructor(machine: Machine, compiled: CompiledGrammar, start: number, marker: string) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.markerLength = marker.length;
    this.isSection = marker === compiled.grammar.section?.[0];
    this.writer = new ParameterWriter(machine, false);
    this.value = new ValueReader(machine, compiled.values, this.writer, trimSpace);
    this.filler = new SectionFiller(machine);
    if (!this.isSection) return;
    machine.beginBlock();
    this.phase = 'section';
  }

  step(): Step {
    switch (this.phase) {
      case 'section':
        return this.readSection();
      case 'name':
        return this.readName();
      case 'pairs':
        return this.readPairs();
      case 'key':
        return this.readKey();
      case 'beforeValue':
        return this.readBeforeValue();
      case 'value':
        return this.readValue();
      case 'resync':
        return this.readResync();
    }
  }

  cut(): void {
    const isBetween = this.phase === 'section' && this.hasCall;
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
    this.markerLength = tag.length;
    this.name = '';
    this.hasNameEnded = false;
    this.phase = 'name';
  }

  /** The call is over: on with its section, or with ordinary text. */
  private leave(): void {
    this.hasCall = true;
    if (this.isSection) this.phase = 'section';
    else this.machine.endBlock();
  }

  /** The name, white space, and a tag that may follow a name: else there is no call here. */
  private readName(): Step {
    const { machine, compiled } = this;
    if (this.name === '' && !machine.skipSpace()) return 'more';
    const from = machine.pos;
    if (!this.hasNameEnded) machine.pos = nameEnd(machine.text, from);
    this.name += machine.text.slice(from, machine.pos);
    if (machine.pos >= machine.text.length) return 'more';
    this.hasNameEnded = true;
    if (!machine.skipSpace()) return 'more';
    const tag = machine.match(compiled.afterName);
    if (tag === undefined) return 'more';
    if (tag !== null && this.name !== '') this.begin(tag);
    else if (machine.isLast && this.isTagCut()) this.cut();
    else this.abandon();
    return 'again';
  }

  /** No call begins here. */
  private abandon(): void {
    const { machine, start, markerLength } = this;
    if (this.isSection) {
      machine.rewind(start + markerLength);
      machine.report('stray_marker', start, { raw: machine.since(start) });
      this.leave();
    } else machine.strayBlock(start, markerLength);
  }

  /** The text ends within what may have become the tag behind the name. */
  private isTagCut(): boolean {
    const { text, pos } = this.machine;
    return this.compiled.afterName.match(text, pos, false) === undefined;
  }

  private begin(tag: string): void {
    const { machine, compiled } = this;
    machine.beginBlock();
    this.writer.beginCall(this.name, this.start);
    if (tag === compiled.grammar.nameEnd) machine.pos += tag.length;
    this.phase = 'pairs';
  }

  private readPairs(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const tag = machine.match(compiled.between);
    if (tag === undefined) return 'more';
    if (tag === null) this.drop();
    else if (tag === compiled.grammar.key[0]) {
      machine.pos += tag.length;
      this.key = '';
      this.phase = 'key';
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
    const from = machine.pos;
    const tag = machine.seek(compiled.inKey);
    this.key += machine.text.slice(from, machine.pos);
    if (!tag) return 'more';
    if (tag === compiled.grammar.key[1]) {
      machine.pos += tag.length;
      this.phase = 'beforeValue';
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
      this.phase = 'value';
    } else if (rest.startsWith('\\n')) machine.pos += 2;
    else if (!machine.isLast && (rest === '\\' || open.startsWith(rest))) return 'more';
    else if (machine.isLast && open.startsWith(rest)) this.cut();
    else this.drop();
    return 'again';
  }

  private readValue(): Step {
    const end = this.value.read();
    if (end === 'more') return 'more';
    this.writer.endParameter();
    if (end !== 'closed') this.writer.isRepaired = true;
    this.phase = 'pairs';
    if (end === 'callClosed') {
      this.finishCall();
      this.leave();
    } else if (end === 'header') {
      this.key = this.value.header;
      this.phase = 'beforeValue';
    }
    return 'again';
  }

  private drop(): void {
    this.machine.rewind(this.start + this.markerLength);
    this.phase = 'resync';
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

function nameEnd(text: string, from: number): number {
  notInName.lastIndex = from;
  return notInName.exec(text)?.index ?? text.length;
}
