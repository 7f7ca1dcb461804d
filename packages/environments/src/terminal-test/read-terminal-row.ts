import type { Item } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { textColumn } from '../data/text-column.ts';

/** What to do, and the file that shows whether it was done. path: `~/...`, absolute, or relative to the home folder. */
export type TerminalTask = Readonly<{ prompt: string; path: string; expected: string }>;

export const terminalColumns = ['prompt', 'verify_path', 'expected_content'] as const;

/** `{prompt, verify_path, expected_content}`. */
export function readTerminalRow(row: JsonObject, index: number): Item<TerminalTask> {
  const [prompt, path, expected] = terminalColumns.map((name) => textColumn(row, name)) as [
    string,
    string,
    string,
  ];
  if (expected.trim() === '') throw new Error('column expected_content is empty');
  return { id: `task-${index + 1}`, data: { prompt, path, expected: expected.trim() } };
}
