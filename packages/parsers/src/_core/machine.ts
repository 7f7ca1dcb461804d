import type { ParserEvent, ParserStream } from '../types.ts';
import { Answer, type DiagnosticDetails } from './answer.ts';
import type { BlockReader, CompiledFormat } from './format.ts';
import type { ReadOptions } from './options.ts';

type ParsedEnd = ReturnType<ParserStream['finish']>;

/**
 * Reads one answer: content, reasoning and the markers between them. What is inside a call is
 * read by the block reader of the format, which moves the cursor over all that it understood.
 */
export class Machine extends Answer {
  /** JSON without a marker that begins before this offset is known to be text. @internal */
  inertUntil = 0;
  /** Whether ordinary text is reasoning now. @internal */
  isReasoning: boolean;
  /** @internal */
  reader: BlockReader | null = null;
  /** The prompt opened the reasoning: the model may do so again before anything else. */
  #mayReopen: boolean;
  #reasoningStart = 0;
  /** Whether its end marker comes, once that is known. If there is none, a call ends the reasoning. */
  #hasReasoningEnd: boolean | undefined;
  /** Where a call marker in open reasoning began; -1 when there is none. */
  #heldFrom = -1;
  #hasCallBlock = false;
  #highSurrogate = '';
  #end: ParsedEnd | undefined;

  constructor(format: CompiledFormat, options: ReadOptions) {
    super(format, options);
    const { reasoning, startInReasoning } = options;
    this.isReasoning = this.#mayReopen =
      startInReasoning && reasoning && format.reasoning !== undefined;
  }

  push(chunk: string): readonly ParserEvent[] {
    const input = this.#highSurrogate + chunk;
    const last = input.length - 1;
    const isCut = (input.charCodeAt(last) & 0xfc00) === 0xd800;
    const end = isCut ? last : input.length;
    this.#highSurrogate = input.slice(end);
    return this.#read(input.slice(0, end));
  }

  /** Ends the text, with this as its last chunk. */
  finish(chunk = ''): ParsedEnd {
    this.isLast = true;
    this.#end ??= { events: this.#read(this.#highSurrogate + chunk), result: this.result() };
    return this.#end;
  }

  #read(input: string): readonly ParserEvent[] {
    this.freshEvents = [];
    this.append(input);
    while (this.reader ? this.#readBlock(this.reader) : this.readPlain());
    if (this.isLast) {
      if (this.isReasoning) this.note('unclosed_reasoning', this.#reasoningStart);
      this.content.end();
    }
    return this.freshEvents;
  }

  #readBlock(reader: BlockReader): boolean {
    if (reader.step() === 'again') return true;
    if (this.isLast) reader.cut();
    return this.isLast;
  }

  /** Text up to the next marker, and what the marker means. False when the window is used up. @internal */
  protected readPlain(): boolean {
    if (this.#heldFrom >= 0) return this.#readHeld(this.#heldFrom);
    const from = this.pos;
    const { reasoningMarkers, textMarkers } = this.format;
    const marker = this.seek(this.isReasoning ? reasoningMarkers : textMarkers);
    if (this.pos > from) this.passPlain(this.text.slice(from, this.pos));
    if (!marker) return false;
    const start = this.offset;
    this.pos += marker.length;
    this.act(marker, start);
    return true;
  }

  /** @internal */
  protected act(marker: string, start: number): void {
    const kind = this.format.kinds.get(marker);
    switch (kind) {
      case 'block':
        if (this.isReasoning && this.#hasReasoningEnd === undefined) {
          this.#heldFrom = start;
          return;
        }
        if (!this.isReasoning || !this.#hasReasoningEnd)
          this.reader = this.format.openBlock[marker]?.(this, start, marker) ?? null;
        if (!this.reader) this.passPlain(marker);
        return;
      case 'open':
        this.#openReasoning(marker, start);
        return;
      case 'close':
        if (!this.options.reasoning) this.passPlain(marker);
        else if (this.isReasoning) this.#endReasoning();
        else if (this.isAtStart) this.content.block();
        else this.stray(start, marker);
        return;
      case 'stray':
        this.stray(start, marker);
        return;
      default:
        if (!this.isReasoning) this.content.endOfTurn();
        if (kind === 'endOfTurn') this.note('eos_removed', start);
    }
  }

  #openReasoning(marker: string, start: number): void {
    if (this.options.reasoning && !this.isReasoning) {
      this.content.block();
      this.isReasoning = true;
      this.#reasoningStart = start;
    } else if (!this.#mayReopen || this.reasoning.hasText) this.passPlain(marker);
    this.#mayReopen = false;
  }

  /** Only the end marker tells what a call marker in open reasoning was: looks for it. */
  #readHeld(start: number): boolean {
    const marker = this.seek(this.format.reasoningMarkers);
    if (!marker && !this.isLast) return false;
    if (marker && this.format.kinds.get(marker) !== 'close') {
      this.pos += marker.length;
      return true;
    }
    this.#hasReasoningEnd = marker !== null;
    this.rewind(start);
    this.#heldFrom = -1;
    return true;
  }

  #endReasoning(): void {
    if (this.#hasReasoningEnd === false) this.note('unclosed_reasoning', this.#reasoningStart);
    this.reasoning.block();
    this.content.block();
    this.isReasoning = false;
    this.#hasReasoningEnd = undefined;
  }

  // ---- for block readers ----

  /** The block's beginning is certain: reasoning ends here, white space before it is markup. */
  beginBlock(): void {
    this.#hasCallBlock = true;
    if (this.isReasoning) this.#endReasoning();
    this.content.block();
  }

  /** The block is over; ordinary text goes on at the cursor. */
  endBlock(): void {
    this.reader = null;
  }

  /** The text ended inside the call that began at `start`: it is dropped and the block ends. @internal */
  truncate(start: number, details?: DiagnosticDetails): void {
    this.pos = this.text.length;
    this.beginBlock();
    this.dropCall('truncated_call', start, details);
    this.endBlock();
  }

  /** The block was none: its marker is cut out and what follows is ordinary text. */
  strayBlock(start: number, marker: string): void {
    this.rewind(start + marker.length);
    if (this.isReasoning) this.passPlain(marker);
    else this.stray(start, marker);
    this.endBlock();
  }

  /** The block was none and its marker is ordinary text. */
  textBlock(start: number, marker: string): void {
    this.rewind(start + marker.length);
    this.passPlain(marker);
    this.endBlock();
  }

  /** A marker that opens or closes nothing; the cursor is behind it. @internal */
  stray(start: number, marker: string): void {
    this.content.stray();
    this.report('stray_marker', start, { raw: marker });
  }

  /** Ordinary text, outside markup. @internal */
  passPlain(piece: string): void {
    (this.isReasoning ? this.reasoning : this.content).add(piece);
  }

  /** Whether nothing but white space and reasoning came so far. @internal */
  get isAtContentStart(): boolean {
    return !this.content.hasText && !this.#hasCallBlock;
  }

  /** Whether no block came so far, neither of reasoning nor of calls, and nothing but white space. @internal */
  get isAtStart(): boolean {
    return !this.content.isAfterBlock && this.isAtContentStart;
  }
}
