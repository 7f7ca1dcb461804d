import type { JsonObject, JsonValue } from '@hermes/protocol';
import type { ToolContext } from '@hermes/tools';
import { readSmallFile } from './_small-file.ts';

const MAX_CTRF_BYTES = 4 * 1024 * 1024;
const MAX_TESTS = 200;
const MAX_MESSAGE_CHARS = 500;

/** The verifier's test report (`ctrf.json`), cut to what a record can carry; null where there is none or it is odd. */
export async function readCtrf(
  tools: ToolContext,
  verifierDir: string,
): Promise<JsonObject | null> {
  const file = await readSmallFile(tools, `${verifierDir}/ctrf.json`, MAX_CTRF_BYTES);
  if (file.kind !== 'bytes') return null;
  return ctrfDetails(new TextDecoder().decode(file.bytes));
}

/** Tool, summary and tests of a CTRF text; null where it is none. */
function ctrfDetails(text: string): JsonObject | null {
  const results = objectOrNull(objectOrNull(parse(text))?.results);
  if (results === null) return null;
  const tests = Array.isArray(results.tests) ? results.tests.slice(0, MAX_TESTS) : [];
  return {
    tool: textOrNull(objectOrNull(results.tool)?.name),
    summary: numbersOf(objectOrNull(results.summary) ?? {}),
    tests: tests.flatMap(testDetails),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function testDetails(value: JsonValue): JsonObject[] {
  const test = objectOrNull(value);
  if (test === null) return [];
  const { duration } = test;
  return [
    {
      name: textOrNull(test.name),
      status: textOrNull(test.status),
      duration: typeof duration === 'number' ? duration : null,
      message: textOrNull(test.message)?.slice(0, MAX_MESSAGE_CHARS) ?? null,
    },
  ];
}

function objectOrNull(value: unknown): JsonObject | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return value as JsonObject;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numbersOf(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'number'),
  );
}
