import type { ParseOptions, ParseResult, ParserEvent, ToolCallParser } from '../types.ts';
import { foldEvents } from './fold-events.ts';
import type { FuzzInput } from './fuzz-inputs.ts';
import type { Random } from './random.ts';

/** What is wrong with a parser on this input, as a sentence; null when nothing is. */
export function wrongOn(parser: ToolCallParser, input: FuzzInput, random: Random): string | null {
  const { text } = input;
  try {
    const whole = parser.parse(text, withIds(input.options));
    if (whole.toolCalls.length > 0 && !parser.mayHoldCall(text)) return 'it may not hold its calls';
    return (
      wrongSizes(whole, text) ??
      wrongArguments(whole) ??
      wrongDiagnostics(whole, text) ??
      wrongWords(whole, input) ??
      wrongStream(parser, input, whole, random)
    );
  } catch (error) {
    return `it threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

/** Ids that are told from native ones. */
function withIds(options: ParseOptions): ParseOptions {
  let count = 0;
  return {
    ...options,
    newId: () => {
      count += 1;
      return `id_${String(count).padStart(6, '0')}`;
    },
  };
}

/** Nothing is doubled: what comes out is never more than what came in, escapes aside. */
function wrongSizes(result: ParseResult, text: string): string | null {
  const plain = (result.content ?? '').length + (result.reasoning ?? '').length;
  const inCalls = result.toolCalls.reduce((sum, call) => sum + call.function.arguments.length, 0);
  if (plain > text.length) return `content and reasoning are longer than the text`;
  return inCalls > 6 * text.length + 2 * result.toolCalls.length ? 'arguments grew' : null;
}

function wrongArguments(result: ParseResult): string | null {
  const ids = new Set(result.toolCalls.map((call) => call.id));
  if (ids.size !== result.toolCalls.length) return 'two calls have one id';
  for (const { name, arguments: text } of result.toolCalls.map((call) => call.function)) {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || /^[ \t\r\n]*$/.test(name)) return `no call: ${name} with ${text}`;
  }
  return null;
}

/** A diagnostic shows the text that it is about, and no text is dropped twice. */
function wrongDiagnostics({ diagnostics }: ParseResult, text: string): string | null {
  let droppedUntil = 0;
  for (const { code, level, span, raw } of diagnostics) {
    if (raw !== undefined && raw !== text.slice(span.start, span.end))
      return `${code} shows another text than that of its span`;
    if (level === 'error' && span.start < droppedUntil) return `${code} drops text once more`;
    if (level === 'error') droppedUntil = span.end;
  }
  return null;
}

/** Each word comes out once, or a diagnostic names the place where it was dropped. */
function wrongWords(result: ParseResult, { text, words }: FuzzInput): string | null {
  const calls = result.toolCalls.flatMap((call) => [call.function.name, call.function.arguments]);
  const out = [result.content, result.reasoning, ...calls].join('\n');
  for (const word of words) {
    const times = out.split(word).length - 1;
    const at = text.indexOf(word);
    const isReported = result.diagnostics.some(
      ({ span }) => span.start <= at && at + word.length <= span.end,
    );
    if (times > 1) return `${word} came out ${times} times`;
    if (times === 0 && !isReported && result.toolCalls.length === 0) return `${word} was lost`;
  }
  return null;
}

/** The result as text. A call that was taken back has used up an id, so made ids are all one. */
function spelled(result: ParseResult): string {
  return JSON.stringify(result).replaceAll(/"id_\d{6}"/g, '"id"');
}

function wrongStream(
  parser: ToolCallParser,
  { text, options }: FuzzInput,
  whole: ParseResult,
  random: Random,
): string | null {
  const delivery = random.pick(['whole', 'incremental'] as const);
  const stream = parser.stream({ ...withIds(options), delivery });
  const events: ParserEvent[] = [];
  const most = random.pick([1, 4, 16, 64]);
  for (let from = 0; from < text.length; ) {
    const end = from + 1 + random.below(most);
    events.push(...stream.push(text.slice(from, end)));
    from = end;
  }
  const { events: last, result } = stream.finish();
  const told = { ...foldEvents([...events, ...last]), diagnostics: result.diagnostics };
  const expected = spelled(whole);
  for (const [what, given] of Object.entries({ 'the stream': result, 'its events': told })) {
    if (spelled(given) !== expected)
      return `${delivery}, chunks of up to ${most}: ${what} ${spelled(given)} <> ${expected}`;
  }
  return null;
}
