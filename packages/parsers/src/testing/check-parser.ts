import type { ParseOptions, ParseResult, ParserEvent, ToolCallParser } from '../types.ts';

/** A text and what a parser must make of it. */
export type ParserFixture = Readonly<{
  name: string;
  text: string;
  content: string | null;
  reasoning?: string | null;
  toolCalls: readonly Readonly<{ name: string; arguments: string }>[];
  options?: ParseOptions;
}>;

/**
 * Everything that is wrong with a parser on these fixtures, as sentences; empty when it is right.
 * Each text is read in one piece and cut in many ways, in both deliveries.
 */
export function checkParser(
  parser: ToolCallParser,
  fixtures: readonly ParserFixture[],
): readonly string[] {
  return fixtures.flatMap((fixture) => {
    const whole = wrongIn(parser.parse(fixture.text, fixture.options), fixture);
    return [
      ...(whole === null ? [] : [`${fixture.name}: ${whole}`]),
      ...wrongStreams(parser, fixture),
    ];
  });
}

function wrongStreams(parser: ToolCallParser, fixture: ParserFixture): readonly string[] {
  const sizes = [1, 2, 3, 5, 7, 64];
  return sizes.flatMap((size) =>
    (['whole', 'incremental'] as const).flatMap((delivery) => {
      const wrong = wrongIn(readInChunks(parser, fixture, size, delivery), fixture);
      return wrong === null ? [] : [`${fixture.name} in chunks of ${size}, ${delivery}: ${wrong}`];
    }),
  );
}

/** The result, built from the events alone. */
function readInChunks(
  parser: ToolCallParser,
  { text, options }: ParserFixture,
  size: number,
  delivery: 'whole' | 'incremental',
): ParseResult {
  const stream = parser.stream({ ...options, delivery });
  const events: ParserEvent[] = [];
  for (let from = 0; from < text.length; from += size)
    events.push(...stream.push(text.slice(from, from + size)));
  const last = stream.finish();
  return foldEvents([...events, ...last.events], last.result);
}

function foldEvents(events: readonly ParserEvent[], result: ParseResult): ParseResult {
  const joined = (type: 'content' | 'reasoning'): string | null =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('') || null;
  const aborted = new Set(
    events.flatMap((event) => (event.type === 'call_abort' ? [event.index] : [])),
  );
  const toolCalls = events.flatMap((event) => {
    if (event.type !== 'call_start' || aborted.has(event.index)) return [];
    const pieces = events.flatMap((other) =>
      other.type === 'call_arguments' && other.index === event.index ? [other.text] : [],
    );
    return [
      {
        id: event.id,
        type: 'function' as const,
        function: { name: event.name, arguments: pieces.join('') },
      },
    ];
  });
  return {
    content: joined('content'),
    reasoning: joined('reasoning'),
    toolCalls,
    diagnostics: result.diagnostics,
  };
}

function wrongIn(result: ParseResult, fixture: ParserFixture): string | null {
  const calls = result.toolCalls.map((call) => ({
    name: call.function.name,
    arguments: call.function.arguments,
  }));
  const got = JSON.stringify([result.content, result.reasoning, calls]);
  const expected = fixture.toolCalls.map((call) => ({
    name: call.name,
    arguments: call.arguments,
  }));
  const wanted = JSON.stringify([fixture.content, fixture.reasoning ?? null, expected]);
  return got === wanted ? null : `expected ${wanted}, got ${got}`;
}
