import type { BlockReader, OpenBlock, Step } from './format.ts';
import { JsonScanner } from './json-scanner.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import { type OwnType, ParameterWriter } from './parameter-writer.ts';
import { SectionFiller } from './section-filler.ts';
import {
  type CompiledValueGrammar,
  compileValueGrammar,
  isTagName,
  ValueReader,
} from './value-reader.ts';
import { trimSpace } from './whitespace.ts';

/** What a header between its fixed parts says. */
export type Header = Readonly<{ name: string; ownType?: OwnType }>;

/** Calls and parameters as nested tags, an optional block around the calls. */
export interface TaggedCallGrammar {
  /** Tags of the block: opening spellings and closing spellings. */
  readonly block: Readonly<{ opens: readonly string[]; closes: readonly string[] }>;
  /** A call outside a block is `fine`, reported as `missing_wrapper`, or plain `text`. */
  readonly withoutBlock: 'fine' | 'missing_wrapper' | 'text';
  /** Tokens around each call of a block; text between them is dropped. Default none. */
  readonly wrapper?: Readonly<{ open: string; close: string }>;
  readonly call: Readonly<{ open: string; end: string; close: string }>;
  /** Other spellings of the tags of a call. */
  readonly otherCalls?: readonly Readonly<{ open: string; close: string }>[];
  readonly parameter: Readonly<{
    open: string;
    end: string;
    close: string | ((name: string) => string);
    /** Longer beginnings of `open` that open no parameter. */
    not?: readonly string[];
  }>;
  /** Reads the text between `open` and `end`; null when it is no header. Default: the bare name. */
  readonly readHeader?: (text: string) => Header | null;
  /** What cannot stand in a header. Default `<` and a line feed. */
  readonly notInHeader?: readonly string[];
  /** One line break at each end of a value is markup. Default false. */
  readonly trimsLines?: boolean;
  /** All arguments as one JSON object, bare or as a parameter `arguments`, are read. Default false. */
  readonly unwrapsJson?: boolean;
}

interface CompiledGrammar {
  readonly grammar: TaggedCallGrammar;
  readonly value: CompiledValueGrammar;
  readonly readHeader: (text: string) => Header | null;
  readonly callOpens: readonly string[];
  readonly callCloses: readonly string[];
  readonly callOpen: MarkerSet;
  readonly callHeader: MarkerSet;
  readonly parameterHeader: MarkerSet;
  readonly inCall: MarkerSet;
  readonly afterCall: MarkerSet;
  readonly betweenCalls: MarkerSet;
  readonly resync: MarkerSet;
}

type Phase =
  | 'blockStart'
  | 'betweenCalls'
  | 'callHeader'
  | 'parameters'
  | 'parameterHeader'
  | 'value'
  | 'json'
  | 'afterCall'
  | 'resync';

/** The readers of blocks and of calls without one, for `blocks` of a format. */
export function taggedCallBlocks(grammar: TaggedCallGrammar): Readonly<Record<string, OpenBlock>> {
  const compiled = compile(grammar);
  const open: OpenBlock = (machine, start, marker) =>
    new TaggedCallReader(machine, compiled, start, marker);
  const { block, wrapper, withoutBlock } = grammar;
  const wrappers = wrapper === undefined ? [] : [wrapper.open];
  const calls = withoutBlock === 'text' ? [] : compiled.callOpens;
  return Object.fromEntries([...block.opens, ...wrappers, ...calls].map((text) => [text, open]));
}

function compile(grammar: TaggedCallGrammar): CompiledGrammar {
  const { block, call, otherCalls = [], wrapper, parameter, notInHeader = ['<', '\n'] } = grammar;
  const callOpens = [call, ...otherCalls].map(({ open }) => open);
  const callCloses = [call, ...otherCalls].map(({ close }) => close);
  const wrappers = wrapper === undefined ? [] : [wrapper.open, wrapper.close];
  const outside = [...block.closes, ...callOpens, ...block.opens, ...wrappers];
  return {
    grammar,
    value: compileValueGrammar({
      close: parameter.close,
      header: parameter,
      callCloses,
      afterValue: [parameter.open, ...callCloses, ...outside],
      notAfterValue: parameter.not ?? [],
      afterCall: outside,
      notInHeader,
    }),
    readHeader: grammar.readHeader ?? ((name) => (isTagName(name) ? { name } : null)),
    callOpens,
    callCloses,
    callOpen: new MarkerSet(callOpens),
    callHeader: new MarkerSet([call.end, ...notInHeader]),
    parameterHeader: new MarkerSet([parameter.end, ...notInHeader]),
    inCall: new MarkerSet([parameter.open, ...callCloses, ...outside]),
    afterCall: new MarkerSet(outside),
    betweenCalls: new MarkerSet([...callOpens, ...block.closes, ...wrappers]),
    resync: new MarkerSet([...callCloses, ...outside]),
  };
}

class TaggedCallReader implements BlockReader {
  private phase: Phase = 'blockStart';
  private isBegun = false;
  private readonly isBlock: boolean;
  private callStart: number;
  /** Behind the marker that opens the call: a second look begins there. */
  private callBody: number;
  private callEnd = 0;
  /** The last call of the block: none yet, handed over, or dropped. */
  private lastCall: 'none' | 'kept' | 'dropped' = 'none';
  /** A wrapper is open: its call is still to come, or to be closed. */
  private isWrapperOpen = false;
  private hasUnclosed = false;
  private dropCode: 'malformed_call' | 'missing_name' = 'malformed_call';
  private header = '';
  private json: JsonScanner | null = null;
  private readonly writer: ParameterWriter;
  private readonly value: ValueReader;
  private readonly filler: SectionFiller;
  private readonly machine: Machine;
  private readonly compiled: CompiledGrammar;
  private readonly start: number;
  private readonly marker: string;

  constructor(machine: Machine, compiled: CompiledGrammar, start: number, marker: string) {
    const { block, wrapper, trimsLines, unwrapsJson } = compiled.grammar;
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.marker = marker;
    this.callStart = start;
    this.callBody = start + marker.length;
    this.isBlock = block.opens.includes(marker);
    this.isWrapperOpen = marker === wrapper?.open;
    this.writer = new ParameterWriter(machine, trimsLines ?? false, unwrapsJson ?? false);
    this.value = new ValueReader(
      machine,
      compiled.value,
      this.writer,
      (text) => compiled.readHeader(text)?.name ?? null,
    );
    this.filler = new SectionFiller(machine);
    if (wrapper !== undefined && (this.isBlock || this.isWrapperOpen)) {
      this.begin();
      this.phase = 'betweenCalls';
    } else if (!this.isBlock) this.phase = 'callHeader';
  }

  step(): Step {
    switch (this.phase) {
      case 'blockStart':
        return this.readBlockStart();
      case 'betweenCalls':
        return this.readBetweenCalls();
      case 'callHeader':
        return this.readCallHeader();
      case 'parameters':
        return this.readParameters();
      case 'parameterHeader':
        return this.readParameterHeader();
      case 'value':
        return this.readValue();
      case 'json':
        return this.readJson();
      case 'afterCall':
        return this.readAfterCall();
      case 'resync':
        return this.readResync();
    }
  }

  cut(): void {
    const { machine } = this;
    const isBetween = this.phase === 'betweenCalls' && !this.isWrapperOpen;
    if (isBetween) this.endFiller();
    if (isBetween && this.lastCall !== 'none') machine.endBlock();
    else if (this.isBegun || this.isBlock || !this.isFine) machine.truncate(this.callStart);
    else machine.textBlock(this.start, this.marker.length);
  }

  /** Calls need no block: what looks like one may also be ordinary text. */
  private get isFine(): boolean {
    return this.compiled.grammar.withoutBlock === 'fine';
  }

  private begin(): void {
    if (!this.isBegun) this.machine.beginBlock();
    this.isBegun = true;
  }

  // ---- around calls ----

  private readBlockStart(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const opener = this.tagAt(compiled.callOpen);
    if (opener === undefined) return 'more';
    if (opener !== null) this.openCall(opener);
    else machine.strayBlock(this.start, this.marker.length);
    return 'again';
  }

  /** As `match`, but a tag that the end of the text cuts is undefined as well: something was to come. */
  private tagAt(markers: MarkerSet): string | null | undefined {
    return markers.match(this.machine.text, this.machine.pos, false);
  }

  private openCall(marker: string): void {
    const { machine } = this;
    if (this.isBegun && !this.isWrapperOpen) {
      this.callStart = machine.offset;
    }
    machine.pos += marker.length;
    this.callBody = machine.offset;
    this.header = '';
    this.phase = 'callHeader';
  }

  /** Between wrappers: to the next call, wrapper or end of the block; other text is dropped. */
  private readBetweenCalls(): Step {
    const { machine, compiled } = this;
    const { block, wrapper } = compiled.grammar;
    const marker = this.filler.seek(compiled.betweenCalls);
    if (!marker) return 'more';
    this.endFiller();
    if (compiled.callOpens.includes(marker)) {
      this.openCall(marker);
      return 'again';
    }
    const start = machine.offset;
    if (marker === wrapper?.close) machine.pos += marker.length;
    if (this.isWrapperOpen) this.dropWrapper();
    if (marker === wrapper?.open) this.openWrapper(start, marker);
    else if (block.closes.includes(marker)) this.endBlock(marker);
    else if (!this.isBlock) machine.endBlock();
    return 'again';
  }

  /** Text between wrappers is worth a word; in a wrapper it says the type of the call. */
  private endFiller(): void {
    if (this.isWrapperOpen) this.filler.forget();
    else this.filler.report();
  }

  private openWrapper(start: number, marker: string): void {
    this.machine.pos += marker.length;
    this.callStart = start;
    this.isWrapperOpen = true;
  }

  /** A wrapper without a call. */
  private dropWrapper(): void {
    this.machine.dropCall('malformed_call', this.callStart);
    this.isWrapperOpen = false;
    this.lastCall = 'dropped';
  }

  private endBlock(marker: string): void {
    this.machine.pos += marker.length;
    this.machine.endBlock();
  }

  private readAfterCall(): Step {
    const { machine, compiled } = this;
    const { block, wrapper } = compiled.grammar;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const marker = machine.match(compiled.afterCall);
    if (marker === undefined) return 'more';
    if (wrapper !== undefined) this.endWrapper(marker);
    else if (marker === null) this.endUnclosed();
    else if (this.isBlock && compiled.callOpens.includes(marker)) this.openCall(marker);
    // A lone closing tag of a block goes with the call whose opening one was lost.
    else if ((this.isBlock || !this.isFine) && block.closes.includes(marker)) this.endBlock(marker);
    else this.endUnclosed();
    return 'again';
  }

  private endWrapper(marker: string | null): void {
    const { machine } = this;
    if (marker === this.compiled.grammar.wrapper?.close) machine.pos += marker.length;
    else {
      machine.rewind(this.callEnd);
      if (this.isWrapperOpen) this.reportUnclosed(this.callStart);
    }
    this.isWrapperOpen = false;
    this.hasUnclosed = false;
    this.phase = 'betweenCalls';
    if (!this.isBlock) machine.endBlock();
  }

  private endUnclosed(): void {
    this.machine.rewind(this.callEnd);
    if (this.isBlock) this.reportUnclosed(this.start);
    this.machine.endBlock();
  }

  /** Once per block, and only for a call that was handed over. */
  private reportUnclosed(start: number): void {
    if (this.hasUnclosed || this.lastCall !== 'kept') return;
    this.hasUnclosed = true;
    this.machine.report('unclosed_call', start, {}, this.callEnd);
  }

  // ---- calls ----

  /** Collects a header up to its end; undefined: not here yet, null: it is none. */
  private readHeader(markers: MarkerSet, end: string): Header | null | undefined {
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
      this.begin();
      this.writer.beginCall(header.name, this.callStart);
      this.phase = 'parameters';
      if (trimSpace(header.name) === '') this.drop('missing_name');
    }
    return 'again';
  }

  /** What looked like the opening tag of a call is none. */
  private abandonCall(): void {
    const { machine } = this;
    if (!this.isFine && (this.isBegun || this.isBlock)) this.drop();
    else if (this.isBegun) this.endUnclosed();
    else if (this.isBlock || !this.isFine) machine.strayBlock(this.start, this.marker.length);
    else machine.textBlock(this.start, this.marker.length);
  }

  private readParameters(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const marker = this.tagAt(compiled.inCall);
    if (marker === undefined) return 'more';
    if (marker === null) this.beginJson();
    else if (marker === compiled.grammar.parameter.open) {
      machine.pos += marker.length;
      this.header = '';
      this.phase = 'parameterHeader';
    } else this.endCall(marker);
    return 'again';
  }

  private readParameterHeader(): Step {
    const { compiled } = this;
    const header = this.readHeader(compiled.parameterHeader, compiled.grammar.parameter.end);
    if (header === undefined) return 'more';
    if (header === null || this.writer.isWhole) this.drop();
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

  /** No tag where parameters stand: perhaps the arguments as one JSON object. */
  private beginJson(): void {
    const { machine, writer, compiled } = this;
    const mayBe = compiled.grammar.unwrapsJson === true && writer.isEmpty;
    if (!mayBe || machine.character !== '{') {
      this.drop();
      return;
    }
    this.json = new JsonScanner(machine, machine.options);
    this.phase = 'json';
  }

  private readJson(): Step {
    const status = this.json?.scan() ?? 'error';
    if (status === 'more') return 'more';
    this.phase = 'parameters';
    if (status === 'done') this.writer.addWhole(this.json?.take() ?? '{}');
    else this.drop();
    return 'again';
  }

  private endCall(marker: string): void {
    const { machine, compiled } = this;
    const isClosed = compiled.callCloses.includes(marker);
    if (isClosed) machine.pos += marker.length;
    this.finishCall(isClosed);
    if (compiled.grammar.block.closes.includes(marker)) this.endBlock(marker);
  }

  private finishCall(isClosed: boolean): void {
    const { machine } = this;
    this.writer.endCall();
    this.callEnd = machine.offset;
    this.lastCall = 'kept';
    this.phase = 'afterCall';
    if (!this.isBlock && !this.isFine) machine.report('missing_wrapper', this.start);
    if (!isClosed) this.reportUnclosed(this.callStart);
  }

  /** The call is broken: looks for its end once more, from its beginning. */
  private drop(code: 'malformed_call' | 'missing_name' = 'malformed_call'): void {
    this.dropCode = code;
    this.begin();
    this.machine.rewind(this.callBody);
    this.phase = 'resync';
  }

  private readResync(): Step {
    const { machine, compiled } = this;
    const marker = machine.seek(compiled.resync);
    if (marker === undefined) return 'more';
    if (marker !== null && compiled.callCloses.includes(marker)) machine.pos += marker.length;
    machine.dropCall(this.dropCode, this.callStart);
    this.callEnd = machine.offset;
    this.lastCall = 'dropped';
    this.phase = 'afterCall';
    return 'again';
  }
}
