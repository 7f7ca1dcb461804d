import type { Item } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { textColumn } from '../data/text-column.ts';

/** prompt: the head of a function. test: Python that defines `check(candidate)`. */
export type CodeProblem = Readonly<{
  prompt: string;
  entryPoint: string;
  test: string;
  canonicalSolution: string;
}>;

export const humanevalColumns = [
  'task_id',
  'prompt',
  'entry_point',
  'canonical_solution',
  'test',
] as const;

/** A row of HumanEval. */
export function readHumanevalRow(row: JsonObject): Item<CodeProblem> {
  const [id, prompt, entryPoint, canonicalSolution, test] = humanevalColumns.map((name) =>
    textColumn(row, name),
  ) as [string, string, string, string, string];
  if (!/^[A-Za-z_]\w*$/.test(entryPoint))
    throw new Error(
      `column entry_point must name a function, and is ${JSON.stringify(entryPoint)}`,
    );
  return { id, data: { prompt, entryPoint, test, canonicalSolution } };
}
