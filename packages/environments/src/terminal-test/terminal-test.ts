import type { EnvironmentDefinition } from '@hermes/env-core';
import * as z from 'zod';
import { readProblems } from '../data/read-problems.ts';
import { readTerminalRow, type TerminalTask, terminalColumns } from './read-terminal-row.ts';
import { createTerminalTestEnvironment } from './terminal-test-environment.ts';

/** Configuration of `terminal-test`. */
export type TerminalTestConfig = Readonly<{
  /** A file or an address `hf://OWNER/NAME` with other tasks. Absent, or `builtin`: the package's own. */
  dataset?: string | undefined;
}>;

/** Small tasks for a shell, each checked by one file. */
export const terminalTest: EnvironmentDefinition<TerminalTestConfig, TerminalTask> = {
  id: 'terminal-test',
  version: '1.0.0',
  description: 'Small files to write with a terminal',
  config: z.strictObject({ dataset: z.string().min(1).optional() }),
  places: ['dataset'],
  open: async ({ dataset }, context) => {
    const places = {
      dataset,
      hub: null,
      builtin: 'terminal-test.jsonl',
      columns: terminalColumns,
    };
    return createTerminalTestEnvironment(await readProblems(places, readTerminalRow, context));
  },
};
