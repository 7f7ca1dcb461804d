import { describe, expect, it } from 'vitest';
import { getParser, listParsers } from '../src/registry.ts';
import type { ParseOptions, ToolCallParser } from '../src/types.ts';
import {
  countingIds,
  cutsOf,
  mismatch,
  optionsOf,
  readVectorFiles,
  streamed,
  type Vector,
} from './_vectors.ts';

const known = new Set(listParsers());
const files = readVectorFiles().filter((file) => known.has(file.format));

describe.each(files)('$format', (file) => {
  const parser = getParser(file.format);

  it.each(file.vectors)('$id in one piece', (vector) => {
    expect(mismatch(parser.parse(vector.text, optionsOf(vector)), vector)).toBeNull();
  });

  it.each(file.vectors)('$id is the same at any chunking', (vector) => {
    const failures = (['whole', 'incremental'] as const).flatMap((delivery) =>
      chunkingFailures(parser, vector, { delivery }),
    );
    expect(failures.slice(0, 3)).toEqual([]);
  });

  it('may hold calls, wherever it does', () => {
    const withCalls = file.vectors.filter((vector) => vector.expect.calls.length > 0);
    expect(withCalls.filter((vector) => !parser.mayHoldCall(vector.text))).toEqual([]);
  });

  it('has the parser under every alias', () => {
    expect(file.aliases.map((alias) => getParser(alias).name)).toEqual(
      file.aliases.map(() => parser.name),
    );
  });
});

function chunkingFailures(
  parser: ToolCallParser,
  vector: Vector,
  extra: ParseOptions,
): readonly unknown[] {
  const options = () =>
    optionsOf(vector, {
      ...extra,
      ...(vector.expect.calls.some((call) => call.id) ? {} : { newId: countingIds() }),
    });
  const expected = JSON.stringify(parser.parse(vector.text, options()).diagnostics);
  return cutsOf(vector.text).flatMap((cuts) => {
    const result = streamed(parser, vector.text, cuts, options());
    const reason =
      mismatch(result, vector) ??
      (JSON.stringify(result.diagnostics) === expected
        ? null
        : `diagnostics ${JSON.stringify(result.diagnostics)} <> ${expected}`);
    return reason === null ? [] : [{ cuts: cuts.slice(0, 6), reason, ...extra }];
  });
}
