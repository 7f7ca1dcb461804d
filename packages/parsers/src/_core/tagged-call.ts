import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { type MarkerSet, markersOf } from './markers.ts';
import { type OwnType, ParameterWriter } from './parameter-writer.ts';
import {
  type CompiledValueGrammar,
  compileValueGrammar,
  isTagName,
  ValueReader,
} from './value-reader.ts';

/** What a header between its fixed parts says. */
export type Header = Readonly<{ name: string; ownType?: OwnType }>;

/** Calls and parameters as nested tags, an optional block around the calls. */
export interface TaggedCallGrammar {
  /** Tags of the block: opening spellings and closing spellings. */
  readonly block: Readonly<{ opens: readonly string[]; closes: readonly string[] }>;
  /** A call outside a block is `fine` or reported as `missing_wrapper`. */
  readonly withoutBlock: 'fine' | 'missing_wrapper';
  readonly call: Readonly<{ open: string; end: string; close: string }>;
  readonly parameter: Readonly<{ open: string; end: string; close: string }>;
  /** Reads the text between `open` and `end`; null when it is no header. Default: the bare name. */
  readonly readHeader?: (text: string) => Header | null;
  /** One line break at each end of a value is markup. */
  readonly trimsLines: boolean;
}

interface CompiledGrammar {
  readonly grammar: TaggedCallGrammar;
  readonly value: CompiledValueGrammar;
  readonly readHeader: (text: string) => Header | null;
  readonly callOpen: MarkerSet<string>;
  readonly callHeader: MarkerSet<string>;
  readonly parameterHeader: MarkerSet<string>;
  readonly inCall: MarkerSet<string>;
  readonly afterCall: MarkerSet<string>;
  readonly resync: MarkerSet<string>;
}

type Phase =
  | 'blockStart'
  | 'callHeader'
  | 'parameters'
  | 'parameterHeader'
  | 'value'
  | 'afterCall'
  | 'resync';

/** The readers of blocks and of calls without one, for `blocks` of a format. */
export function taggedCallBlocks(grammar: TaggedCallGrammar): Readonly<Record<string, OpenBlock>> {
  const compiled = compile(grammar);
  const open: OpenBlock = (machine, start, marker) =>
    new TaggedCallReader(machine, compiled, start, marker);
  return Object.fromEntries(
    [...grammar.block.opens, grammar.call.open].map((marker) => [marker, open]),
  );
}

function compile(grammar: TaggedCallGrammar): CompiledGrammar {
  const { block, call, parameter } = grammar;
  const outside = [...block.closes, call.open, ...block.opens];
  return {
    grammar,
    value: compileValueGrammar({
      close: parameter.close,
      header: parameter,
      callCloses: [call.close],
      afterValue: [parameter.open, call.close, ...outside],
      afterCall: outside,
    }),
    readHeader: grammar.readHeader ?? ((name) => (isTagName(name) ? { name } : null)),
    callOpen: markersOf([call.open]),
    callHeader: markersOf([call.end, '<', '\n']),
    parameterHeader: markersOf([parameter.end, '<', '\n']),
    inCall: markersOf([parameter.open, call.close, ...outside]),
    afterCall: markersOf(outside),
    resync: markersOf([call.close, ...outside]),
  };
}

class TaggedCallReader implements BlockReader {
  private phase: Phase = 'blockStart';
  private isBegun = false;
  private readonly isBlock: boolean;
  private callStart: number;
  private callEnd = 0;
  private header = '';
  private readonly writer: ParameterWriter;
  private readonly value: ValueReader;
  private readonly machine: Machine;
  private readonly compiled: CompiledGrammar;
  private readonly start: number;
  private readonly marker: string;

  constructor(machine: Machine, compiled: CompiledGrammar, start: number, marker: string) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.marker = marker;
    this.callStart = start;
    this.isBlock = marker !== compiled.grammar.call.open;
    this.writer = new ParameterWriter(machine, compiled.grammar.trimsLines);
    this.value = new ValueReader(
      machine,
      compiled.value,
      this.writer,
      (text) => compiled.readHeader(text)?.name ?? null,
    );
    if (!this.isBlock) this.phase = 'callHeader';
    machine.keepFrom(start);
  }

  step(): Step {
    switch (this.phase) {
      case 'blockStart':
        return this.readBlockStart();
      case 'callHeader':
        return this.readCallHeader();
      case 'parameters':
        return this.readParameters();
      case 'parameterHeader':
        return this.readParameterHeader();
      case 'value':
        return this.readValue();
      case 'afterCall':
        return this.readAfterCall();
      case 'resync':
        return this.readResync();
    }
  }

  cut(): void {
    const { machine } = this;
    if (this.isBegun || this.isBlock) machine.truncate(this.callStart);
    else machine.textBlock(this.start, this.marker.length);
  }

  private readBlockStart(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const opener = machine.match(compiled.callOpen);
    if (opener === undefined) return 'more';
    if (opener !== null) this.openCall();
    else machine.strayBlock(this.start, this.marker.length);
    return 'again';
  }

  private openCall(): void {
    if (this.isBegun) this.machine.keepFrom(this.callEnd);
    this.callStart = this.isBegun ? this.machine.offset : this.start;
    this.machine.pos += this.compiled.grammar.call.open.length;
    this.header = '';
    this.phase = 'callHeader';
  }

  /** Collects a header up to its end; undefined: not here yet, null: it is none. */
  private readHeader(markers: MarkerSet<string>, end: string): Header | null | undefined {
    const { machine } = this;
    const from = machine.pos;
    const marker = machine.seek(markers);
    this.header += machine.text.slice(from, machine.pos);
    if (!marker) return undefined;
    if (marker !== end) return null;
    machine.pos += end.length;
    return this.compiled.readHeader(this.header);
  }

  private readCallHeader(): Step {
    const { compiled } = this;
    const header = this.readHeader(compiled.callHeader, compiled.grammar.call.end);
    if (header === undefined) return 'more';
    if (header === null) this.abandonCall();
    else {
      if (!this.isBegun) this.begin();
      this.writer.beginCall(header.name, this.callStart);
      this.phase = 'parameters';
    }
    return 'again';
  }

  private begin(): void {
    this.isBegun = true;
    this.machine.beginBlock();
    if (this.isBlock || this.compiled.grammar.withoutBlock === 'fine') return;
    this.machine.report('missing_wrapper', this.start);
  }

  /** What looked like the opening tag of a call is none. */
  private abandonCall(): void {
    const { machine } = this;
    if (this.isBegun) this.endUnclosed();
    else if (this.isBlock) machine.strayBlock(this.start, this.marker.length);
    else machine.textBlock(this.start, this.marker.length);
  }

  private readParameters(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const marker = machine.match(compiled.inCall);
    if (marker === undefined) return 'more';
    if (marker === null) this.drop();
    else if (marker === compiled.grammar.parameter.open) {
      machine.pos += marker.length;
      this.header = '';
      this.phase = 'parameterHeader';
    } else this.endCall(marker);
    return 'again';
  }

  private endCall(marker: string): void {
    const { machine, compiled } = this;
    const isClosed = marker === compiled.grammar.call.close;
    if (isClosed) machine.pos += marker.length;
    this.finishCall(isClosed);
    if (!isClosed && compiled.grammar.block.closes.includes(marker)) {
      machine.pos += marker.length;
      machine.endBlock();
    }
  }

  private finishCall(isClosed: boolean): void {
    const { machine } = this;
    this.writer.endCall();
    this.callEnd = machine.offset;
    this.phase = 'afterCall';
    if (!isClosed) machine.report('unclosed_call', this.callStart);
  }

  private readParameterHeader(): Step {
    const { compiled } = this;
    const header = this.readHeader(compiled.parameterHeader, compiled.grammar.parameter.end);
    if (header === undefined) return 'more';
    if (header === null) this.drop();
    else this.beginValue(header);
    return 'again';
  }

  private beginValue(header: Header): void {
    this.writer.beginParameter(header.name, header.ownType ?? null);
    this.value.begin();
    this.phase = 'value';
  }

  private readValue(): Step {
    const end = this.value.read();
    if (end === 'more') return 'more';
    this.writer.endParameter();
    if (end !== 'closed') this.writer.isRepaired = true;
    this.phase = 'parameters';
    if (end === 'callClosed') this.finishCall(true);
    if (end === 'header')
      this.beginValue(this.compiled.readHeader(this.value.header) ?? { name: '' });
    return 'again';
  }

  private readAfterCall(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const marker = machine.match(compiled.afterCall);
    if (marker === undefined) return 'more';
    if (marker === compiled.grammar.call.open && this.isBlock) this.openCall();
    else if (marker !== null && this.isBlock && compiled.grammar.block.closes.includes(marker)) {
      machine.pos += marker.length;
      machine.endBlock();
    } else this.endUnclosed();
    return 'again';
  }

  private endUnclosed(): void {
    const { machine } = this;
    machine.rewind(this.callEnd);
    if (this.isBlock) machine.report('unclosed_call', this.start, this.callEnd);
    machine.endBlock();
  }

  private drop(): void {
    this.machine.rewind(this.callStart + this.marker.length);
    this.phase = 'resync';
  }

  private readResync(): Step {
    const { machine, compiled } = this;
    const marker = machine.seek(compiled.resync);
    if (marker === undefined) return 'more';
    const isClose = marker === compiled.grammar.call.close;
    if (isClose) machine.pos += marker.length;
    machine.dropCall('malformed_call', this.callStart);
    this.callEnd = machine.offset;
    this.isBegun = true;
    this.phase = 'afterCall';
    return 'again';
  }
}
