import { readdirSync, readFileSync } from 'node:fs';
import { foldEvents } from '../src/testing/fold-events.ts';
import type {
  ParseOptions,
  ParseResult,
  ParserEvent,
  ToolCallParser,
  ToolSchema,
} from '../src/types.ts';

const folder = new URL('./fixtures/vectors/', import.meta.url);

interface ExpectedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly id?: string | { readonly pattern: string };
}

interface Expectation {
  readonly content: string | null;
  readonly reasoning?: string | null;
  readonly calls: readonly ExpectedCall[];
  readonly diagnostics?: readonly string[] | 'any' | 'some';
}

/** One case of a vector file. */
export interface Vector {
  readonly id: string;
  readonly text: string;
  readonly tools?: readonly ToolSchema[];
  readonly options?: ParseOptions;
  readonly expect: Expectation;
  readonly alternatives?: readonly Expectation[];
}

export interface VectorFile {
  readonly format: string;
  readonly aliases: readonly string[];
  readonly vectors: readonly Vector[];
}

/** All vector files, by the order of their names. */
export function readVectorFiles(): readonly VectorFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile);
}

/** The options of a vector, with ids that count instead of being random. */
export function optionsOf(vector: Vector, extra: ParseOptions = {}): ParseOptions {
  const tools = vector.tools === undefined ? {} : { tools: vector.tools };
  return { ...vector.options, ...tools, ...extra };
}

/** What of the result is not as the vector says; null when it is right. */
export function mismatch(result: ParseResult, vector: Vector): string | null {
  const expectations = [vector.expect, ...(vector.alternatives ?? [])];
  const reasons = expectations.map((expectation) => mismatchOf(result, expectation));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

function mismatchOf(result: ParseResult, expected: Expectation): string | null {
  if (result.content !== expected.content) return `content ${JSON.stringify(result.content)}`;
  if (result.reasoning !== (expected.reasoning ?? null))
    return `reasoning ${JSON.stringify(result.reasoning)}`;
  if (result.toolCalls.length !== expected.calls.length) return `${result.toolCalls.length} calls`;
  for (const [index, call] of expected.calls.entries()) {
    const reason = callMismatch(result.toolCalls[index], call);
    if (reason !== null) return `call ${index}: ${reason}`;
  }
  const ids = result.toolCalls.map((call) => call.id);
  if (new Set(ids).size !== ids.length) return `ids ${ids.join()}`;
  return diagnosticsMismatch(result, expected.diagnostics ?? []);
}

function callMismatch(
  call: ParseResult['toolCalls'][number] | undefined,
  expected: ExpectedCall,
): string | null {
  if (call?.function.name !== expected.name) return `name ${call?.function.name}`;
  const text = call.function.arguments;
  const isRight =
    typeof expected.arguments === 'string'
      ? text === expected.arguments
      : sortedJson(JSON.parse(text)) === sortedJson(expected.arguments);
  if (!isRight) return `arguments ${text}`;
  const { id } = expected;
  if (id === undefined) return call.id === '' ? 'no id' : null;
  const isId = typeof id === 'string' ? call.id === id : new RegExp(id.pattern).test(call.id);
  return isId ? null : `id ${call.id}`;
}

function diagnosticsMismatch(
  result: ParseResult,
  expected: readonly string[] | 'any' | 'some',
): string | null {
  if (expected === 'any') return null;
  const codes = result.diagnostics.filter((one) => one.level !== 'info').map((one) => one.code);
  if (expected === 'some') return codes.length > 0 ? null : 'no diagnostics';
  return codes.join() === expected.join() ? null : `diagnostics ${codes.join()}`;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [two]) => (one < two ? -1 : 1)))
      : part,
  );
}

/** Ids that are the same in every run. */
export function countingIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id_${String(count).padStart(6, '0')}`;
  };
}

/** Feeds the text in chunks that end at these places; checks that the events say what the result says. */
export function streamed(
  parser: ToolCallParser,
  text: string,
  cuts: readonly number[],
  options: ParseOptions,
): ParseResult {
  const stream = parser.stream(options);
  const events: ParserEvent[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    events.push(...stream.push(text.slice(from, cut)));
    from = cut;
  }
  const { events: last, result } = stream.finish();
  events.push(...last);
  return {
    ...foldEvents(events),
    diagnostics: result.diagnostics,
    ...contradiction(foldEvents(events), result),
  };
}

function contradiction(
  folded: Omit<ParseResult, 'diagnostics'>,
  result: ParseResult,
): Partial<ParseResult> {
  const { diagnostics: _, ...rest } = result;
  return sortedJson(folded) === sortedJson(rest)
    ? {}
    : { content: `events differ: ${sortedJson(folded)} <> ${sortedJson(rest)}` };
}

/** The ways to cut a text that every vector is tried with: each unit, single cuts, random splits. */
export function cutsOf(text: string): readonly (readonly number[])[] {
  const places = Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => index + 1);
  const single = text.length <= 400 ? places.map((place) => [place]) : [];
  return [
    places,
    places.filter((place) => place % 4 === 0),
    ...single,
    ...randomCuts(text.length, 25),
  ];
}

function randomCuts(length: number, count: number): readonly (readonly number[])[] {
  const next = seeded(length + 1);
  return Array.from({ length: count }, () => {
    const cuts = Array.from({ length: 1 + next(4) }, () => next(length + 1));
    return cuts.sort((one, two) => one - two);
  });
}

function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
