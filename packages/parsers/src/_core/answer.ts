import type {
  Diagnostic,
  DiagnosticCode,
  DiagnosticLevel,
  ParseResult,
  ParserEvent,
  ToolCall,
} from '../types.ts';
import type { CompiledFormat } from './format.ts';
import { randomCallId } from './ids.ts';
import type { ReadOptions } from './options.ts';
import { TextJoiner } from './text-joiner.ts';
import { TextWindow } from './text-window.ts';

/** A call whose arguments are still coming. */
export type OpenCall = Readonly<{ id: string; name: string; start: number }> & { text: string };

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
  readonly isIncremental: boolean;
  readonly content: TextJoiner = new TextJoiner();
  readonly reasoning: TextJoiner = new TextJoiner('\n');
  protected openCall: OpenCall | null = null;
  #events: ParserEvent[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  #nextIndex = 0;

  constructor(format: CompiledFormat, options: ReadOptions) {
    super();
    this.format = format;
    this.options = options;
    this.isIncremental = options.delivery === 'incremental';
  }

  /** A call whose arguments follow. */
  startCall(name: string, nativeId: string | null, start: number): void {
    const id = this.idOf(name, nativeId);
    this.openCall = { id, name, text: '', start };
    if (this.isIncremental) this.#emit({ type: 'call_start', index: this.#nextIndex, id, name });
  }

  /** The id that a call is handed over with. */
  protected idOf(_name: string, _nativeId: string | null): string {
    return (this.options.newId ?? this.format.newId ?? randomCallId)();
  }

  addArguments(text: string): void {
    if (this.openCall === null || text === '') return;
    this.openCall.text += text;
    if (this.isIncremental) this.#emit({ type: 'call_arguments', index: this.#nextIndex, text });
  }

  /** The call is complete: it is handed over for good. */
  endCall(): void {
    if (this.openCall === null) return;
    const { id, name, text, start } = this.openCall;
    const index = this.#nextIndex++;
    this.openCall = null;
    if (!this.isIncremental) {
      this.#emit({ type: 'call_start', index, id, name });
      this.#emit({ type: 'call_arguments', index, text });
    }
    this.#emit({ type: 'call_end', index });
    this.#calls.push({ id, type: 'function', function: { name, arguments: text } });
    if (this.options.tools?.every((tool) => tool.function.name !== name))
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
    const name = open?.name ?? details.name;
    const diagnostic = this.#diagnose('error', code, start, end, { raw, ...details, name });
    this.openCall = null;
    if (open === null || !this.isIncremental) this.#emit({ type: 'diagnostic', diagnostic });
    else this.#emit({ type: 'call_abort', index: this.#nextIndex++, diagnostic });
  }

  /** A warning. */
  report(
    code: DiagnosticCode,
    start: number,
    details: DiagnosticDetails = {},
    end: number = this.offset,
    level: DiagnosticLevel = 'warning',
  ): void {
    const diagnostic = this.#diagnose(level, code, start, end, details);
    this.#emit({ type: 'diagnostic', diagnostic });
  }

  /** Something usual, or something that was left as it is. */
  note(code: DiagnosticCode, start: number, details?: DiagnosticDetails, end?: number): void {
    this.report(code, start, details, end, 'info');
  }

  #diagnose(
    level: DiagnosticLevel,
    code: DiagnosticCode,
    start: number,
    end: number,
    { name, ...details }: DiagnosticDetails,
  ): Diagnostic {
    const message = code.replaceAll('_', ' ');
    const known = name ? { name } : {};
    const diagnostic = { code, level, message, span: { start, end }, ...details, ...known };
    this.#diagnostics.push(diagnostic);
    return diagnostic;
  }

  #emit(event: ParserEvent): void {
    this.#events.push(event);
  }

  emitText(type: 'content' | 'reasoning', text: string): void {
    if (text !== '') this.#emit({ type, text });
  }

  protected takeEvents(): readonly ParserEvent[] {
    return this.#events.splice(0);
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
