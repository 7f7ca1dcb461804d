import type {
  Diagnostic,
  DiagnosticCode,
  DiagnosticLevel,
  ParseResult,
  ParserEvent,
  ToolCall,
} from '../types.ts';
import type { CompiledFormat } from './format.ts';
import type { ReadOptions } from './options.ts';
import { addPiece } from './pieces.ts';
import { TextJoiner } from './text-joiner.ts';
import { TextWindow } from './text-window.ts';

/** A call whose arguments are still coming. */
export type OpenCall = Readonly<{ id: string; name: string; start: number; pieces: string[] }>;

/** What a diagnostic may say beside its code and place. */
export type DiagnosticDetails = Readonly<{
  raw?: string;
  parameter?: string;
  name?: string | undefined;
}>;

/** What is known of an answer so far, and the events that tell it. */
export class Answer extends TextWindow {
  readonly options: ReadOptions;
  readonly format: CompiledFormat;
  /** @internal */
  readonly isIncremental: boolean;
  content: TextJoiner = new TextJoiner(this, 'content');
  readonly reasoning: TextJoiner = new TextJoiner(this, 'reasoning', '\n');
  /** @internal */
  protected openCall: OpenCall | null = null;
  /** Whether somebody asks for events: of a text in one piece only the result is. @internal */
  isHeard = true;
  /** What the input that is being read has made certain. @internal */
  protected freshEvents: ParserEvent[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  /** What the codes say: one text for all the diagnostics of a code. */
  readonly #messages: Partial<Record<DiagnosticCode, string>> = {};
  #nextIndex = 0;

  constructor(format: CompiledFormat, options: ReadOptions) {
    super();
    this.format = format;
    this.options = options;
    this.isIncremental = options.delivery === 'incremental';
  }

  /** A call whose arguments follow. */
  startCall(name: string, nativeId: string | null, start: number): void {
    const id = nativeId ?? this.options.newId();
    this.openCall = { id, name, start, pieces: [] };
    if (this.isIncremental) this.emit({ type: 'call_start', index: this.#nextIndex, id, name });
  }

  addArguments(text: string): void {
    if (!this.openCall || !text) return;
    addPiece(this.openCall.pieces, text);
    if (this.isIncremental) this.emit({ type: 'call_arguments', index: this.#nextIndex, text });
  }

  /** The call is complete: it is handed over for good. */
  endCall(): void {
    if (!this.openCall) return;
    const { id, name, pieces, start } = this.openCall;
    const text = pieces.join('');
    const index = this.#nextIndex++;
    this.openCall = null;
    if (!this.isIncremental) {
      this.emit({ type: 'call_start', index, id, name });
      this.emit({ type: 'call_arguments', index, text });
    }
    this.emit({ type: 'call_end', index });
    this.#calls.push({ id, type: 'function', function: { name, arguments: text } });
    const { tools } = this.options;
    if (tools[0] && !tools.some((tool) => tool.function.name === name))
      this.note('unknown_tool', start, { name });
  }

  /** A complete call in one go. */
  call(name: string, nativeId: string | null, text: string, start: number): void {
    this.startCall(name, nativeId, start);
    this.addArguments(text);
    this.endCall();
  }

  /** Reports a call that is dropped, and takes back what was sent of it. */
  dropCall(
    code: DiagnosticCode,
    start: number,
    details: DiagnosticDetails = {},
    end: number = this.offset,
  ): void {
    const open = this.openCall;
    const raw = this.since(start, end);
    const abortedIndex = open && this.isIncremental ? this.#nextIndex++ : undefined;
    this.openCall = null;
    this.report(
      code,
      start,
      { raw, ...details, ...(open && { name: open.name }) },
      end,
      'error',
      abortedIndex,
    );
  }

  /** Something usual, or something that was left as it is. @internal */
  note(code: DiagnosticCode, start: number, details?: DiagnosticDetails, end?: number): void {
    this.report(code, start, details, end, 'info');
  }

  /** By default a warning. */
  report(
    code: DiagnosticCode,
    start: number,
    { name, ...details }: DiagnosticDetails = {},
    end: number = this.offset,
    level: DiagnosticLevel = 'warning',
    abortedIndex?: number,
  ): void {
    this.#messages[code] ??= code.replaceAll('_', ' ');
    const diagnostic: Diagnostic = {
      code,
      level,
      message: this.#messages[code],
      span: { start, end },
      ...details,
      ...(name && { name }),
    };
    this.#diagnostics.push(diagnostic);
    this.emit(
      abortedIndex === undefined
        ? { type: 'diagnostic', diagnostic }
        : { type: 'call_abort', index: abortedIndex, diagnostic },
    );
  }

  /** @internal */
  emit(event: ParserEvent): void {
    if (this.isHeard) this.freshEvents.push(event);
  }

  protected result(): ParseResult {
    return {
      content: this.content.text || null,
      reasoning: this.reasoning.text || null,
      toolCalls: this.#calls,
      diagnostics: this.#diagnostics.sort((one, two) => one.span.start - two.span.start),
    };
  }
}
