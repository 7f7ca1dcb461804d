/** A tool call in the OpenAI form; `arguments` is always the text of a JSON object. */
export type ToolCall = Readonly<{
  id: string;
  type: 'function';
  function: Readonly<{ name: string; arguments: string }>;
}>;

/** A tool as a chat request declares it; `parameters` is its JSON schema. */
export type ToolSchema = Readonly<{
  type: 'function';
  function: Readonly<{ name: string; parameters?: { readonly [key: string]: unknown } }>;
}>;

/** What a diagnostic is about; `explainDiagnostic` says each code in a sentence. */
export type DiagnosticCode =
  | 'truncated_call'
  | 'malformed_call'
  | 'missing_name'
  | 'invalid_arguments'
  | 'unclosed_call'
  | 'repaired_call'
  | 'stray_marker'
  | 'missing_wrapper'
  | 'coercion_failed'
  | 'duplicate_key'
  | 'duplicate_id'
  | 'unknown_tool'
  | 'missing_arguments'
  | 'arguments_unwrapped'
  | 'empty_block'
  | 'section_filler'
  | 'unclosed_reasoning'
  | 'eos_removed';

/** Errors dropped a call, warnings kept one that was not quite right. */
export type DiagnosticLevel = 'error' | 'warning' | 'info';

/** Something worth knowing about the text. `span` counts UTF-16 units of the whole input. */
export type Diagnostic = Readonly<{
  code: DiagnosticCode;
  level: DiagnosticLevel;
  message: string;
  span: Readonly<{ start: number; end: number }>;
  /** The text that was dropped or repaired. */
  raw?: string;
  /** Index of the call in the events of its stream. */
  callIndex?: number;
  /** Function name of the call, when it is known. */
  name?: string;
  parameter?: string;
}>;

/** One answer of a model, taken apart. Blank content and blank reasoning are null. */
export type ParseResult = Readonly<{
  content: string | null;
  reasoning: string | null;
  toolCalls: readonly ToolCall[];
  diagnostics: readonly Diagnostic[];
}>;

/** What `render` writes: a result without its diagnostics. */
export type RenderableMessage = Pick<ParseResult, 'content' | 'reasoning' | 'toolCalls'>;

export type RenderOptions = Readonly<{
  /** The tools of the request, for formats whose values carry no type. */
  tools?: readonly ToolSchema[];
}>;

export type ParseOptions = Readonly<{
  /** The tools of the request. Formats whose values are text read their types from it. */
  tools?: readonly ToolSchema[];
  /** The prompt already opened the reasoning block. Default false. */
  startInReasoning?: boolean;
  /** False leaves reasoning markup in the content. Default true. */
  reasoning?: boolean;
  /** False turns every repair of broken JSON into an error. Default true. */
  repair?: boolean;
  /** Makes the ids that the format does not bring. Default: random. */
  newId?: () => string;
  /** Deepest nesting of JSON and of Python literals that is read. Default 1000. */
  maxDepth?: number;
  /** `whole`: a call's events come together once it is complete. Default `whole`. */
  delivery?: 'whole' | 'incremental';
}>;

/** What a stream has become certain of. A `call_abort` takes back the call with its index. */
export type ParserEvent = Readonly<
  | { type: 'content'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'call_start'; index: number; id: string; name: string }
  | { type: 'call_arguments'; index: number; text: string }
  | { type: 'call_end'; index: number }
  | { type: 'call_abort'; index: number; diagnostic: Diagnostic }
  | { type: 'diagnostic'; diagnostic: Diagnostic }
>;

/** One answer that arrives in pieces. */
export interface ParserStream {
  /** Reads one more chunk, cut anywhere. Throws after `finish`. */
  push(chunk: string): readonly ParserEvent[];
  /** Ends the text. Called again it returns the same. */
  finish(): Readonly<{ events: readonly ParserEvent[]; result: ParseResult }>;
  /** Makes the stream as new. */
  reset(): void;
}

/** One format. Nothing throws on model output; wrong options and non-strings do. */
export interface ToolCallParser {
  readonly name: string;
  readonly aliases: readonly string[];
  parse(text: string, options?: ParseOptions): ParseResult;
  stream(options?: ParseOptions): ParserStream;
  /** A cheap test: false means that the text surely holds no call. */
  mayHoldCall(text: string): boolean;
  /**
   * The message in the model's own markup: parsing it again gives the same message. Throws
   * `RenderError` where the format cannot carry it. Ids survive in formats that have ids.
   */
  render(message: RenderableMessage, options?: RenderOptions): string;
}
