/** The process that fuzzes: it gets its share of the batches, and reports after each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  builtinParsers,
  type ParseOptions,
  type ToolCallParser,
  type ToolSchema,
} from '@hermes/parsers';
import { type FuzzSeed, fuzzParser } from '@hermes/parsers/testing';

/** Inputs of one format in a row. */
export const batchSize = 1000;

/** The batches `first`, `first + step`, ... below `batches`; each has a seed of its own. */
export type Work = Readonly<{
  root: string;
  seed: number;
  batches: number;
  first: number;
  step: number;
}>;

export type Report = Readonly<{ inputs: number; formats: number; failure?: string }>;

interface VectorFile {
  readonly format: string;
  readonly vectors: readonly Readonly<{
    text: string;
    tools?: readonly ToolSchema[];
    options?: ParseOptions;
  }>[];
}

process.once('message', (work: Work) => {
  void run(work).finally(() => process.disconnect());
});

async function run({ root, seed, batches, first, step }: Work): Promise<void> {
  const files = readVectors(join(root, 'packages/parsers/test/fixtures/vectors'));
  let inputs = 0;
  for (let batch = first; batch < batches; batch += step) {
    const parser = builtinParsers[batch % builtinParsers.length];
    if (parser === undefined) return;
    const batchSeed = seed + batch;
    const failure = fuzzParser(parser, seedsOf(parser, files), {
      seed: batchSeed,
      count: batchSize,
    });
    inputs += batchSize;
    await send({
      inputs,
      formats: builtinParsers.length,
      ...(failure !== null && {
        failure: `${failure.format}, batch seed ${batchSeed}: ${failure.reason}\n${JSON.stringify(failure.input)}`,
      }),
    });
    if (failure === null) continue;
    process.exitCode = 1;
    return;
  }
}

/** Waits until the report is on its way, so that the parent sees each one in time. */
function send(report: Report): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()));
}

function readVectors(folder: string): readonly VectorFile[] {
  return readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as VectorFile,
  );
}

/** The vectors of the format; a format without any is tried with those of all others. */
function seedsOf(parser: ToolCallParser, files: readonly VectorFile[]): readonly FuzzSeed[] {
  const own = files.filter((file) => [parser.name, ...parser.aliases].includes(file.format));
  return (own.length > 0 ? own : files).flatMap((file) =>
    file.vectors.map(({ text, tools, options }) => ({
      text,
      options: { ...options, ...(tools !== undefined && { tools }) },
    })),
  );
}
