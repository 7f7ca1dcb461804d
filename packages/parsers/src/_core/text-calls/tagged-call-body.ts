import type { Step } from '../format.ts';
import { JsonScanner } from '../json/json-scanner.ts';
import type { Machine } from '../machine.ts';
import type { MarkerSet } from '../markers.ts';
import { tagAt } from '../tag-at.ts';
import { trimSpace } from '../whitespace.ts';
import { ParameterWriter } from './parameter-writer.ts';
import type { CompiledTaggedCall, Header } from './tagged-call-grammar.ts';
import { ValueReader } from './value-reader.ts';

/** What the reader of one call tells the reader of its surroundings. */
export interface CallSurroundings {
  /** Where the call begins. */
  readonly callStart: number;
  /** It is a call for sure. */
  begin(): void;
  /** What looked like its opening tag is none. True: it is a broken call all the same. */
  abandonCall(): boolean;
  /** It was handed over and ends at the cursor. */
  endCall(isClosed: boolean): void;
  /** It was dropped and ends at the cursor. */
  endDroppedCall(): void;
  /** The closing tag of the block stands under the cursor. */
  endBlock(marker: string): void;
}

/** Reads one call of nested tags, from behind its opening tag. */
export class TaggedCallBody {
  /** Reads the part that comes next. */
  private next: () => Step = this.readCallHeader;
  /** A second look begins here. */
  private bodyStart: number;
  private dropCode: 'malformed_call' | 'missing_name' = 'malformed_call';
  private headerStart: number;
  private json: JsonScanner | null = null;
  private readonly writer: ParameterWriter;
  private readonly value: ValueReader;
  private readonly machine: Machine;
  private readonly compiled: CompiledTaggedCall;
  private readonly surroundings: CallSurroundings;

  constructor(machine: Machine, compiled: CompiledTaggedCall, surroundings: CallSurroundings) {
    const { trimsLines = false, unwrapsJson = false } = compiled.grammar;
    this.machine = machine;
    this.compiled = compiled;
    this.surroundings = surroundings;
    this.bodyStart = this.headerStart = machine.offset;
    this.writer = new ParameterWriter(machine, trimsLines, unwrapsJson);
    this.value = new ValueReader(
      machine,
      compiled.value,
      this.writer,
      (text) => compiled.readHeader(text)?.name ?? null,
    );
  }

  /** An opening tag ends at the cursor. */
  begin(): void {
    this.bodyStart = this.headerStart = this.machine.offset;
    this.next = this.readCallHeader;
  }

  step(): Step {
    return this.next();
  }

  private readCallHeader(): Step {
    const { compiled, surroundings } = this;
    const header = this.readHeader(compiled.callHeader, compiled.grammar.call.end);
    if (header === undefined) return 'more';
    if (header === null) {
      if (surroundings.abandonCall()) this.drop();
    } else {
      surroundings.begin();
      this.writer.beginCall(header.name, surroundings.callStart);
      this.next = this.readParameters;
      if (trimSpace(header.name) === '') this.drop('missing_name');
    }
    return 'again';
  }

  /** Reads a header up to its end; undefined: not here yet, null: it is none. */
  private readHeader(markers: MarkerSet, end: string): Header | null | undefined {
    const { machine } = this;
    const marker = machine.seek(markers);
    if (!marker) return undefined;
    if (marker !== end) return null;
    const header = machine.since(this.headerStart);
    machine.pos += end.length;
    return this.compiled.readHeader(header);
  }

  private readParameters(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const marker = tagAt(machine, compiled.inCall);
    if (marker === undefined) return 'more';
    if (marker === null) this.beginJson();
    else if (marker === compiled.grammar.parameter.open) {
      machine.pos += marker.length;
      this.headerStart = machine.offset;
      this.next = this.readParameterHeader;
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
    this.next = this.readValue;
  }

  private readValue(): Step {
    const end = this.value.read();
    if (end === 'more') return 'more';
    this.writer.endParameter(this.value.end);
    if (end !== 'closed') this.writer.isRepaired = true;
    this.next = this.readParameters;
    if (end === 'callClosed') this.finish(true);
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
    this.next = this.readJson;
  }

  private readJson(): Step {
    const status = this.json?.scan() ?? 'error';
    if (status === 'more') return 'more';
    this.next = this.readParameters;
    if (status === 'done') this.writer.addWhole(this.json?.take() ?? '{}');
    else this.drop();
    return 'again';
  }

  private endCall(marker: string): void {
    const { machine, compiled, surroundings } = this;
    const isClosed = compiled.callCloses.includes(marker);
    if (isClosed) machine.pos += marker.length;
    this.finish(isClosed);
    if (compiled.grammar.block.closes.includes(marker)) surroundings.endBlock(marker);
  }

  private finish(isClosed: boolean): void {
    this.writer.endCall();
    this.surroundings.endCall(isClosed);
  }

  /** The call is broken: looks for its end once more, from its beginning. */
  private drop(code: 'malformed_call' | 'missing_name' = 'malformed_call'): void {
    this.dropCode = code;
    this.surroundings.begin();
    this.machine.rewind(this.bodyStart);
    this.next = this.readResync;
  }

  private readResync(): Step {
    const { machine, compiled, surroundings } = this;
    const marker = machine.seek(compiled.resync);
    if (marker === undefined) return 'more';
    if (marker !== null && compiled.callCloses.includes(marker)) machine.pos += marker.length;
    machine.dropCall(this.dropCode, surroundings.callStart);
    surroundings.endDroppedCall();
    return 'again';
  }
}
