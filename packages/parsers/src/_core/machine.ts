import type { ParseResult, ParserEvent } from '../types.ts';
import { Answer } from './answer.ts';
import type { DiagnosticDetails } from './diagnostics.ts';
import type { BlockReader, CompiledFormat, OpenBlock, TextMarker } from './format.ts';
import type { ReadOptions } from './options.ts';

/**
 * Reads one answer: content, reasoning and the markers between them. What is inside a call is
 * read by the block reader of the format, which moves the cursor over all that it understood.
 */
export class Machine extends Answer {
  /** JSON without a marker that begins before this offset is known to be text. */
  inertUntil = 0;
  #reader: BlockReader | null = null;
  /** Whether ordinary text is reasoning now. */
  isReasoning: boolean;
  /** At the very start of reasoning that the prompt opened: the model may open it again. */
  #isReasoningStart: boolean;
  #reasoningStart = 0;
  /** What is known of its end marker. If there is none, a call ends the reasoning. */
  #reasoningEnd: 'unknown' | 'comes' | 'missing' = 'unknown';
  /** Where a call marker in open reasoning began; -1 when there is none. */
  #heldFrom = -1;
  #hasCallBlock = false;
  #highSurrogate = '';
  /** What may begin without a marker, until it was asked. */
  #start: OpenBlock | undefined;

  constructor(format: CompiledFormat, options: ReadOptions) {
    super(format, options);
    this.#start = format.start;
    this.isReasoning = options.startInReasoning === true && format.canReason;
    this.#isReasoningStart = this.isReasoning;
  }

  push(chunk: string): readonly ParserEvent[] {
    const input = this.#highSurrogate + chunk;
    const lastCode = input.charCodeAt(input.length - 1);
    const end = lastCode >= 0xd800 && lastCode <= 0xdbff ? input.length - 1 : input.length;
    this.#highSurrogate = input.slice(end);
    return this.#read(input.slice(0, end));
  }

  finish(): Readonly<{ events: readonly ParserEvent[]; result: ParseResult }> {
    this.isLast = true;
    const events = this.#read(this.#highSurrogate);
    return { events, result: this.result() };
  }

  #read(input: string): readonly ParserEvent[] {
    this.append(input);
    while (this.#reader === null ? this.#readPlain() : this.#readBlock(this.#reader));
    if (this.isLast) this.#end();
    return this.takeEvents();
  }

  #end(): void {
    if (this.isReasoning) this.report('unclosed_reasoning', this.#reasoningStart);
    this.emitText('content', this.content.end());
  }

  #readBlock(reader: BlockReader): boolean {
    if (reader.step() === 'again') return true;
    if (this.isLast) reader.cut();
    return this.isLast;
  }

  /** Text up to the next marker, and what the marker means. False when the window is used up. */
  #readPlain(): boolean {
    if (this.#heldFrom >= 0) return this.#readHeld(this.#heldFrom);
    if (this.#isReasoningStart && !this.#readReasoningStart()) return false;
    if (this.#start && !this.isReasoning) {
      if (!this.#readStart(this.#start)) return false;
      if (this.#reader !== null) return true;
    }
    const from = this.pos;
    const marker = this.seek(
      this.isReasoning ? this.format.reasoningMarkers : this.format.textMarkers,
    );
    if (this.pos > from) this.passPlain(this.text.slice(from, this.pos));
    if (!marker) return false;
    const start = this.offset;
    this.pos += marker.text.length;
    this.#act(marker, start);
    return true;
  }

  #readReasoningStart(): boolean {
    this.skipSpace();
    const marker = this.match(this.format.textMarkers);
    if (marker === undefined) return false;
    if (marker?.kind === 'reasoningOpen') this.pos += marker.text.length;
    this.#isReasoningStart = false;
    return true;
  }

  /** The first character of the content. False when the window cuts a marker there. */
  #readStart(open: OpenBlock): boolean {
    const from = this.pos;
    this.skipSpace();
    if (this.pos > from) this.passPlain(this.text.slice(from, this.pos));
    const marker = this.match(this.format.textMarkers);
    if (marker === null) {
      this.#start = undefined;
      this.#reader = open(this, this.offset, '');
    }
    return marker !== undefined;
  }

  #act(marker: TextMarker, start: number): void {
    if (this.format.isPlain?.(this, marker)) {
      this.passPlain(marker.text);
      return;
    }
    switch (marker.kind) {
      case 'block':
        if (!this.isReasoning || this.#reasoningEnd === 'missing') this.#openBlock(marker, start);
        else if (this.#reasoningEnd === 'comes') this.passPlain(marker.text);
        else this.#hold(start);
        return;
      case 'reasoningOpen':
        this.#beginMarkup();
        this.isReasoning = true;
        this.#reasoningStart = start;
        return;
      case 'reasoningClose':
        if (this.isReasoning) this.#endReasoning();
        else if (this.isAtStart) this.#beginMarkup();
        else this.stray(start);
        return;
      case 'stray':
        this.stray(start);
        return;
      case 'act':
        marker.act(this, marker.text);
        return;
      default:
        if (!this.isReasoning) this.cutOut();
        if (marker.kind === 'endOfTurn') this.report('eos_removed', start);
    }
  }

  #openBlock(marker: TextMarker & { kind: 'block' }, start: number): void {
    this.#reader = marker.open(this, start, marker.text);
    if (this.#reader === null) this.passPlain(marker.text);
  }

  #hold(start: number): void {
    this.keepFrom(start);
    this.#heldFrom = start;
  }

  /** Only the end marker tells what a call marker in open reasoning was: looks for it. */
  #readHeld(start: number): boolean {
    const marker = this.seek(this.format.reasoningMarkers);
    if (!marker && !this.isLast) return false;
    if (marker && marker.kind !== 'reasoningClose') {
      this.pos += marker.text.length;
      return true;
    }
    this.#reasoningEnd = marker ? 'comes' : 'missing';
    this.rewind(start);
    this.release();
    this.#heldFrom = -1;
    return true;
  }

  #endReasoning(): void {
    if (this.#reasoningEnd === 'missing') this.report('unclosed_reasoning', this.#reasoningStart);
    this.reasoning.block();
    this.#beginMarkup();
    this.isReasoning = false;
    this.#reasoningEnd = 'unknown';
  }

  #beginMarkup(): void {
    this.emitText('content', this.content.block());
  }

  // ---- for block readers ----

  /** The block's beginning is certain: reasoning ends here, white space before it is markup. */
  beginBlock(): void {
    this.#hasCallBlock = true;
    if (this.isReasoning) this.#endReasoning();
    this.#beginMarkup();
  }

  /** The block is over; ordinary text goes on at the cursor. */
  endBlock(): void {
    this.#reader = null;
    this.release();
  }

  /** The text ended inside the call that began at `start`: it is dropped and the block ends. */
  truncate(start: number, details: DiagnosticDetails = {}): void {
    this.pos = this.text.length;
    this.beginBlock();
    this.dropCall('truncated_call', start, this.offset, details);
    this.endBlock();
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
    this.emitText('content', this.content.stray());
    this.report('stray_marker', start, this.offset, { raw: this.since(start) });
  }

  /** A token in the content was cut out at the cursor; white space around it stays. */
  cutOut(): void {
    this.emitText('content', this.content.endOfTurn());
  }

  /** Ordinary text, outside markup. */
  passPlain(piece: string): void {
    const kind = this.isReasoning ? 'reasoning' : 'content';
    this.emitText(kind, this[kind].add(piece));
  }

  /** Whether nothing but white space and reasoning came so far. */
  get isAtContentStart(): boolean {
    return this.content.text === '' && !this.#hasCallBlock;
  }

  /** Whether no block came so far, neither of reasoning nor of calls, and nothing but white space. */
  get isAtStart(): boolean {
    return this.content.isBlank && !this.#hasCallBlock;
  }
}
