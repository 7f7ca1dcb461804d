import { readdirSync, readFileSync } from 'node:fs';
import { getParser, type ParseOptions, type ToolSchema } from '@hermes/parsers';
import { tools, writeCall } from './_hostile-texts.ts';

/** What a parser is run on: see peers/protocol.md. */
export type Case = Readonly<{
  id: string;
  format: string;
  text: string;
  tools: readonly ToolSchema[];
  chunk?: number;
  budgetMs: number;
}>;

type Expectation = Readonly<{
  content: string | null;
  reasoning?: string | null;
  calls: readonly Readonly<{ name: string; arguments: unknown }>[];
  diagnostics?: unknown;
}>;

/** A conformance vector, as far as the benchmark reads it. */
export type Vector = Readonly<{
  id: string;
  text: string;
  tools?: readonly ToolSchema[];
  options?: ParseOptions;
  expect: Expectation;
  alternatives?: readonly Expectation[];
  format: string;
}>;

const folder = new URL('../test/fixtures/vectors/', import.meta.url);

export function readVectors(): readonly Vector[] {
  return readdirSync(folder).flatMap((name) => {
    const file = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Readonly<{
      format: string;
      vectors: readonly Omit<Vector, 'format'>[];
    }>;
    return file.vectors.map((vector) => ({ ...vector, format: file.format }));
  });
}

/** Ordinary messages: right ones with calls, without reasoning, which some peers leave to others. */
export function isOrdinary({ text, options, expect }: Vector): boolean {
  return (
    expect.diagnostics === undefined &&
    expect.calls.length > 0 &&
    (expect.reasoning ?? null) === null &&
    options === undefined &&
    !text.includes('think')
  );
}

/** The case of a vector. Some peers look only for tools that they know, so all names are declared. */
export function caseOf(vector: Vector, budgetMs: number): Case {
  const names = [...new Set(vector.expect.calls.map((call) => call.name))];
  const declared = names.map((name): ToolSchema => {
    const parameters = { type: 'object', properties: {} };
    return { type: 'function', function: { name, parameters } };
  });
  const { id, format, text } = vector;
  return { id, format, text, tools: vector.tools ?? declared, budgetMs };
}

/** The value of a big argument, `length` characters of JSON or a little more. */
export const bodies: Readonly<
  Record<string, (length: number) => Readonly<Record<string, unknown>>>
> = {
  string: (length) => ({ text: line.repeat(Math.ceil(length / line.length)) }),
  rows: (length) => ({ rows: Array.from({ length: Math.ceil(length / 75) }, (_, id) => row(id)) }),
};

const line = '  const value = compute(a < b ? "x" : \'y\', { k: [1, 2] }); // note\n';

function row(id: number): unknown {
  return { id, name: `item ${id}`, price: id * 1.25, ok: id % 2 === 0, tags: ['a', 'b'], of: null };
}

/** One call with such an argument. */
export function bodyCase(format: string, body: string, length: number, chunk?: number): Case {
  const value = bodies[body]?.(length) ?? {};
  const text = writeCall(getParser(format), value);
  const id = `${format}, ${body}, ${length / 1000} KB${chunk === undefined ? '' : `, chunks of ${chunk}`}`;
  return { id, format, text, tools, budgetMs: 400, ...(chunk !== undefined && { chunk }) };
}
