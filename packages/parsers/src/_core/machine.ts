import type {
  Diagnostic,
  DiagnosticCode,
  ParseOptions,
  ParseResult,
  ParserEvent,
  ToolCall,
} from '../types.ts';
import { type DiagnosticDetails, inTextOrder, levelOf } from './diagnostics.ts';
import type { BlockReader, CompiledFormat, TextMarker } from './format.ts';
import { randomCallId } from './ids.ts';
import type { MarkerSet } from './markers.ts';
import { ContentJoiner, ReasoningJoiner } from './text-joiner.ts';
import { skipSpace } from './whitespace.ts';

/** A call whose arguments are still coming. */
interface OpenCall {
  readonly id: string;
  readonly nativeId: string | null;
  readonly name: string;
  readonly start: number;
  text: string;
}

type Mode = 'start' | 'text' | 'reasoning' | 'held' | 'block';

/**
 * Reads one answer. It owns the window (the text that is not used up yet), content, reasoning,
 * calls and diagnostics; what is inside a call is read by the block reader of the format.
 *
 * Readers advance `pos` over everything they understood, so that the window stays short.
 */
export class Machine {
  /** The window: input from offset `base` on. */
  text = '';
  /** The cursor in the window. */
  pos = 0;
  /** True once no more input can come. */
  isLast = false;
  readonly options: ParseOptions;
  readonly format: CompiledFormat;
  readonly isIncremental: boolean;
  private base = 0;
  /** Text from `keptFrom` up to the window, kept for a second look. */
  private kept = '';
  private keptFrom = -1;
  private highSurrogate = '';
  private mode: Mode;
  private reader: BlockReader | null = null;
  /** In reasoning that is known not to close: a call ends it. */
  private isReasoning: boolean;
  private isReasoningUnclosed = false;
  private events: ParserEvent[] = [];
  private readonly content = new ContentJoiner();
  private readonly reasoning = new ReasoningJoiner();
  private readonly calls: ToolCall[] = [];
  private readonly diagnostics: Diagnostic[] = [];
  private readonly nativeIds = new Set<string>();
  /** The largest number at the end of a native id. */
  private largestIdIndex = -1;
  private hasCallBlock = false;
  private nextIndex = 0;
  private open: OpenCall | null = null;

  constructor(format: CompiledFormat, options: ParseOptions) {
    this.format = format;
    this.options = options;
    this.isIncremental = options.delivery === 'incremental';
    this.isReasoning = options.startInReasoning === true && format.canReason;
    this.mode = 'start';
  }

  // ---- input ----

  push(chunk: string): readonly ParserEvent[] {
    let input = this.highSurrogate + chunk;
    this.highSurrogate = '';
    const lastCode = input.charCodeAt(input.length - 1);
    if (lastCode >= 0xd800 && lastCode <= 0xdbff) {
      this.highSurrogate = input.slice(-1);
      input = input.slice(0, -1);
    }
    this.append(input);
    this.run();
    return this.takeEvents();
  }

  finish(): Readonly<{ events: readonly ParserEvent[]; result: ParseResult }> {
    this.append(this.highSurrogate);
    this.isLast = true;
    this.run();
    this.emitContent(this.content.end());
    return { events: this.takeEvents(), result: this.result() };
  }

  private append(input: string): void {
    if (this.pos > 0) {
      if (this.keptFrom >= 0) this.kept += this.text.slice(this.keptStartInWindow(), this.pos);
      this.base += this.pos;
      this.text = this.pos === this.text.length ? input : this.text.slice(this.pos) + input;
      this.pos = 0;
    } else this.text = this.text === '' ? input : this.text + input;
  }

  private keptStartInWindow(): number {
    return Math.max(0, this.keptFrom - this.base);
  }

  // ---- places ----

  /** Offset of the cursor in the whole input. */
  get offset(): number {
    return this.base + this.pos;
  }

  /** Keeps the text from here on, so that it can be read again or reported. */
  keepFrom(offset: number): void {
    if (this.keptFrom >= 0 && offset < this.base) {
      this.kept = this.kept.slice(offset - this.keptFrom);
    } else this.kept = '';
    this.keptFrom = offset;
  }

  /** The kept text between an offset and the cursor (or another offset). */
  since(offset: number, end: number = this.offset): string {
    const inWindow = this.text.slice(Math.max(0, offset - this.base), Math.max(0, end - this.base));
    if (offset >= this.base) return inWindow;
    return this.kept.slice(offset - this.keptFrom, end - this.keptFrom) + inWindow;
  }

  /** Puts the cursor back to a kept offset. */
  rewind(offset: number): void {
    if (offset >= this.base) {
      this.pos = offset - this.base;
      return;
    }
    this.text = this.kept.slice(offset - this.keptFrom) + this.text;
    this.kept = this.kept.slice(0, offset - this.keptFrom);
    this.base = offset;
    this.pos = 0;
  }

  /** Skips white space; false when the window ended first. */
  skipSpace(): boolean {
    this.pos = skipSpace(this.text, this.pos);
    return this.pos < this.text.length;
  }

  // ---- the loop ----

  private run(): void {
    while (this.step());
  }

  private step(): boolean {
    switch (this.mode) {
      case 'start':
        return this.readStart();
      case 'text':
        return this.readText();
      case 'reasoning':
        return this.readReasoning();
      case 'held':
        return this.readHeld();
      case 'block':
        return this.readBlock();
    }
  }

  private readStart(): boolean {
    if (!this.isReasoning) {
      this.mode = 'text';
      return true;
    }
    const start = skipSpace(this.text, this.pos);
    const openers = this.format.reasoningOpeners;
    const opener = openers.at(this.text, start, this.isLast);
    if (opener === null && !this.isLast && openers.isCut(this.text, start)) return false;
    if (opener !== null) this.pos = start + opener.text.length;
    this.mode = 'reasoning';
    return true;
  }

  private readText(): boolean {
    const markers = this.format.textMarkers;
    const found = this.passText(markers);
    if (found < 0) return false;
    const marker = markers.at(this.text, found, this.isLast);
    if (marker === null) return false;
    this.pos = found + marker.text.length;
    this.act(marker.value, marker.text);
    return true;
  }

  /** Hands the text before the next marker on. -1 when the window is used up. */
  private passText(markers: MarkerSet<TextMarker>): number {
    const found = markers.seek(this.text, this.pos, this.isLast);
    if (found > this.pos) this.passPlain(this.text.slice(this.pos, found));
    this.pos = found;
    return found < this.text.length ? found : -1;
  }

  private act(marker: TextMarker, text: string): void {
    const start = this.offset - text.length;
    switch (marker.kind) {
      case 'block':
        this.openBlock(marker.open(this, start, text), text);
        return;
      case 'endOfTurn':
        this.emitContent(this.content.endOfTurn());
        return;
      case 'reasoningOpen':
        this.content.block();
        this.isReasoning = true;
        this.mode = 'reasoning';
        return;
      case 'reasoningClose':
        if (this.content.isBlank && !this.hasCallBlock) this.content.block();
        else this.stray(start);
        return;
      case 'cut':
        this.emitContent(this.content.endOfTurn());
        return;
      case 'stray':
        this.stray(start);
    }
  }

  private readReasoning(): boolean {
    const markers = this.isReasoningUnclosed
      ? this.format.blockMarkers
      : this.format.reasoningMarkers;
    const found = this.passText(markers);
    if (found < 0) return false;
    const marker = markers.at(this.text, found, this.isLast);
    if (marker === null) return false;
    if (marker.value.kind !== 'block') {
      this.pos = found + marker.text.length;
      this.endReasoning();
      this.mode = 'text';
    } else if (this.isReasoningUnclosed) {
      this.pos = found + marker.text.length;
      this.act(marker.value, marker.text);
    } else {
      this.keepFrom(this.offset);
      this.mode = 'held';
    }
    return true;
  }

  /** From a call marker in open reasoning on: only the end marker tells what it was. */
  private readHeld(): boolean {
    const closers = this.format.reasoningClosers;
    this.pos = closers.seek(this.text, this.pos, this.isLast);
    const closer =
      this.pos < this.text.length ? closers.at(this.text, this.pos, this.isLast) : null;
    const start = this.keptFrom;
    if (closer !== null) {
      this.emitReasoning(this.reasoning.add(this.since(start)));
      this.pos += closer.text.length;
      this.endReasoning();
      this.mode = 'text';
    } else if (this.isLast) {
      this.rewind(start);
      this.isReasoningUnclosed = true;
      this.mode = 'reasoning';
    } else return false;
    this.release();
    return true;
  }

  private endReasoning(): void {
    this.reasoning.endSpan();
    this.content.block();
    this.isReasoning = false;
    this.isReasoningUnclosed = false;
  }

  // ---- blocks ----

  private openBlock(reader: BlockReader | null, marker: string): void {
    if (reader === null) {
      this.passPlain(marker);
      return;
    }
    this.reader = reader;
    this.mode = 'block';
  }

  private readBlock(): boolean {
    const reader = this.reader;
    if (reader === null) return false;
    const isStuck = reader.step() === 'more';
    if (isStuck && !this.isLast) return false;
    if (isStuck) reader.cut();
    return true;
  }

  /** The block's beginning is certain: reasoning ends here, white space before it is markup. */
  beginBlock(): void {
    this.hasCallBlock = true;
    if (this.isReasoning) this.endReasoning();
    this.content.block();
  }

  /** The block is over; ordinary text goes on at the cursor. */
  endBlock(): void {
    this.reader = null;
    this.release();
    if (this.mode === 'block') this.mode = this.isReasoning ? 'reasoning' : 'text';
  }

  /** The block was none: its marker is cut out and what follows is ordinary text. */
  strayBlock(start: number, markerLength: number): void {
    this.rewind(start + markerLength);
    if (this.isReasoning) this.passPlain(this.since(start));
    else this.stray(start);
    this.endBlock();
  }

  /** The block was none and its marker is ordinary text. */
  textBlock(start: number, markerLength: number): void {
    this.rewind(start + markerLength);
    this.passPlain(this.since(start));
    this.endBlock();
  }

  /** A marker from `start` to the cursor that opens or closes nothing. */
  stray(start: number): void {
    this.emitContent(this.content.stray());
    this.report(
      'stray_marker',
      'a marker that opens or closes nothing was removed',
      start,
      this.offset,
      {
        raw: this.since(start),
      },
    );
  }

  private release(): void {
    this.kept = '';
    this.keptFrom = -1;
  }

  /** Ordinary text, outside markup. */
  passPlain(piece: string): void {
    if (this.isReasoning) this.emitReasoning(this.reasoning.add(piece));
    else this.emitContent(this.content.add(piece));
  }

  /** Whether nothing but white space and reasoning came so far. */
  get isAtContentStart(): boolean {
    return this.content.text === '' && !this.hasCallBlock;
  }

  /** Whether content stands at the start of the text or of a line. */
  get isAtLineStart(): boolean {
    return this.content.isAtLineStart;
  }

  // ---- calls ----

  /** A call whose arguments follow. A native id that was used before is replaced. */
  startCall(name: string, nativeId: string | null, at: number): void {
    const id = this.freeId(nativeId, name);
    this.open = { id, nativeId, name, text: '', start: at };
    if (this.isIncremental)
      this.events.push({ type: 'call_start', index: this.nextIndex, id, name });
  }

  addArguments(piece: string): void {
    if (this.open === null || piece === '') return;
    this.open.text += piece;
    if (this.isIncremental) {
      this.events.push({ type: 'call_arguments', index: this.nextIndex, text: piece });
    }
  }

  /** The call is complete: it is handed over for good. */
  endCall(): void {
    if (this.open === null) return;
    const { id, name, text } = this.open;
    const index = this.nextIndex;
    if (!this.isIncremental) {
      this.events.push({ type: 'call_start', index, id, name });
      this.events.push({ type: 'call_arguments', index, text });
    }
    this.events.push({ type: 'call_end', index });
    this.calls.push({ id, type: 'function', function: { name, arguments: text } });
    this.claimId(this.open);
    this.open = null;
    this.nextIndex += 1;
  }

  /** A complete call in one go. */
  call(name: string, nativeId: string | null, text: string, at: number): void {
    this.startCall(name, nativeId, at);
    this.addArguments(text);
    this.endCall();
  }

  get hasOpenCall(): boolean {
    return this.open !== null;
  }

  /** Reports a call that is dropped, and takes back what was sent of it. */
  dropCall(
    code: DiagnosticCode,
    message: string,
    start: number,
    end: number,
    details: DiagnosticDetails = {},
  ): void {
    const name = this.open?.name ?? details.name;
    const diagnostic = makeDiagnostic(code, message, start, end, {
      raw: this.since(start, end),
      ...details,
      ...(name === undefined ? {} : { name }),
    });
    this.diagnostics.push(diagnostic);
    if (this.open !== null && this.isIncremental) {
      this.events.push({ type: 'call_abort', index: this.nextIndex, diagnostic });
      this.nextIndex += 1;
    } else this.events.push({ type: 'diagnostic', diagnostic });
    this.open = null;
  }

  report(
    code: DiagnosticCode,
    message: string,
    start: number,
    end: number,
    details: DiagnosticDetails = {},
  ): void {
    const diagnostic = makeDiagnostic(code, message, start, end, details);
    this.diagnostics.push(diagnostic);
    this.events.push({ type: 'diagnostic', diagnostic });
  }

  private claimId({ id, nativeId, name, start }: OpenCall): void {
    if (nativeId === null) return;
    this.nativeIds.add(id);
    this.largestIdIndex = Math.max(this.largestIdIndex, indexOfId(id));
    if (id === nativeId) return;
    const message = `the id ${nativeId} was used before`;
    this.report('duplicate_id', message, start, this.offset, { name });
  }

  private freeId(nativeId: string | null, name: string): string {
    if (nativeId === null) return this.newId();
    if (!this.nativeIds.has(nativeId)) return nativeId;
    return this.format.repeatedId?.(name, this.largestIdIndex) ?? this.newId();
  }

  private newId(): string {
    return (this.options.newId ?? this.format.newId ?? randomCallId)();
  }

  // ---- output ----

  private emitContent(text: string): void {
    if (text !== '') this.events.push({ type: 'content', text });
  }

  private emitReasoning(text: string): void {
    if (text !== '') this.events.push({ type: 'reasoning', text });
  }

  private takeEvents(): readonly ParserEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  private result(): ParseResult {
    return {
      content: this.content.text === '' ? null : this.content.text,
      reasoning: this.reasoning.text === '' ? null : this.reasoning.text,
      toolCalls: this.calls,
      diagnostics: inTextOrder(this.diagnostics),
    };
  }
}

/** The number at the end of an id such as `functions.f:3`; -1 when there is none. */
function indexOfId(id: string): number {
  return Number(/:(\d{1,9})$/.exec(id)?.[1] ?? -1);
}

function makeDiagnostic(
  code: DiagnosticCode,
  message: string,
  start: number,
  end: number,
  details: DiagnosticDetails,
): Diagnostic {
  return { code, level: levelOf(code), message, span: { start, end }, ...details };
}
