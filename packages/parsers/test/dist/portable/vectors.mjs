// Plain JavaScript that runs everywhere: Node, Bun, Deno and a page.

/** The vectors of these files that the parsers get wrong, in one piece or in chunks. */
export function failuresOf(getParser, files) {
  return files.flatMap(({ format, vectors }) =>
    vectors
      .filter((vector) => !isRight(getParser(format), vector))
      .map((vector) => vector.id),
  );
}

function isRight(parser, { text, tools, options, expect, alternatives = [] }) {
  const given = { ...options, ...(tools && { tools }) };
  const results = [parser.parse(text, given), ...[1, 7].map((size) => streamed(parser, text, given, size))];
  return results.every((result) => [expect, ...alternatives].some((one) => matches(result, one)));
}

function streamed(parser, text, options, size) {
  const stream = parser.stream(options);
  for (let from = 0; from < text.length; from += size) stream.push(text.slice(from, from + size));
  return stream.finish().result;
}

function matches(result, expected) {
  const calls = result.toolCalls.map((call) => [call.function.name, call.function.arguments]);
  return (
    result.content === expected.content &&
    result.reasoning === (expected.reasoning ?? null) &&
    calls.length === expected.calls.length &&
    calls.every(([name, text], index) => isSameCall(name, text, expected.calls[index]))
  );
}

function isSameCall(name, text, expected) {
  if (name !== expected.name) return false;
  if (typeof expected.arguments === 'string') return text === expected.arguments;
  return JSON.stringify(sorted(JSON.parse(text))) === JSON.stringify(sorted(expected.arguments));
}

function sorted(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .map(([key, part]) => [key, sorted(part)])
    .sort(([one], [two]) => (one < two ? -1 : 1));
}
