import type { Diagnostic, DiagnosticCode, ParseResult, ParserEvent, ToolCall } from '../types.ts';
import { createDiagnostic, type DiagnosticDetails } from './diagnostics.ts';
import type { CompiledFormat } from './format.ts';
import { randomCallId } from './ids.ts';
import type { IdentifiedCall, NativeIds } from './native-ids.ts';
import type { ReadOptions } from './options.ts';
import { TextJoiner } from './text-joiner.ts';
import { TextWindow } from './text-window.ts';

/** A call whose arguments are still coming. */
type OpenCall = IdentifiedCall & { text: string };

/** What is known of an answer so far, and the events that tell it. */
export class Answer extends TextWindow {
  readonly options: ReadOptions;
  readonly format: CompiledFormat;
  readonly isIncremental: boolean;
  readonly content: TextJoiner = new TextJoiner();
  readonly reasoning: TextJoiner = new TextJoiner('\n');
  #events: ParserEvent[] = [];
  readonly #calls: ToolCall[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #nativeIds: NativeIds | undefined;
  #nextIndex = 0;
  #open: OpenCall | null = null;

  constructor(format: CompiledFormat, options: ReadOptions) {
    super();
    this.format = format;
    this.options = options;
    this.#nativeIds = format.nativeIds?.();
    this.isIncremental = options.delivery === 'incremental';
  }

  /** A call whose arguments follow. A native id that was used before is replaced. */
  startCall(name: string, nativeId: string | null, start: number): void {
    const newId = this.options.newId ?? this.format.newId ?? randomCallId;
    const id = this.#nativeIds?.choose(nativeId, name) ?? newId();
    this.#open = { id, nativeId, name, text: '', start };
    if (this.isIncremental) this.emit({ type: 'call_start', index: this.#nextIndex, id, name });
  }

  addArguments(text: string): void {
    if (this.#open === null || text === '') return;
    this.#open.text += text;
    if (this.isIncremental) this.emit({ type: 'call_arguments', index: this.#nextIndex, text });
  }

  /** The call is complete: it is handed over for good. */
  endCall(): void {
    const open = this.#open;
    if (open === null) return;
    const { id, name, text, start } = open;
    const index = this.#nextIndex;
    if (!this.isIncremental) {
      this.emit({ type: 'call_start', index, id, name });
      this.emit({ type: 'call_arguments', index, text });
    }
    this.emit({ type: 'call_end', index });
    this.#calls.push({ id, type: 'function', function: { name, arguments: text } });
    this.#open = null;
    this.#nextIndex += 1;
    this.#nativeIds?.claim(this, open);
    const { tools } = this.options;
    if (tools?.every((tool) => tool.function.name !== name))
      this.report('unknown_tool', start, this.offset, { name });
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
    end: number = this.offset,
    details: DiagnosticDetails = {},
  ): void {
    const raw = this.since(start, end);
    const name = this.#open?.name ?? details.name;
    const isSent = this.isIncremental && this.#open !== null;
    this.#open = null;
    this.report(
      code,
      start,
      end,
      { raw, ...details, name },
      isSent ? this.#nextIndex++ : undefined,
    );
  }

  report(
    code: DiagnosticCode,
    start: number,
    end: number = this.offset,
    details: DiagnosticDetails = {},
    abortedIndex?: number,
  ): void {
    const diagnostic = createDiagnostic(code, start, end, details);
    this.#diagnostics.push(diagnostic);
    if (abortedIndex === undefined) this.emit({ type: 'diagnostic', diagnostic });
    else this.emit({ type: 'call_abort', index: abortedIndex, diagnostic });
  }

  protected emit(event: ParserEvent): void {
    this.#events.push(event);
  }

  emitText(type: 'content' | 'reasoning', text: string): void {
    if (text !== '') this.emit({ type, text });
  }

  protected takeEvents(): readonly ParserEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
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
