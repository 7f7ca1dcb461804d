import type { EnvironmentDefinition } from '@hermes/env-core';
import * as z from 'zod';
import { type DatasetKeys, datasetKeys, datasetPlaces } from '../data/dataset-keys.ts';
import { readProblems } from '../data/read-problems.ts';
import { readTerminalRow, type TerminalTask, terminalColumns } from './read-terminal-row.ts';
import { createTerminalTestEnvironment } from './terminal-test-environment.ts';

/** Configuration of `terminal-test`. Without a data set it plays the package's own tasks. */
export type TerminalTestConfig = DatasetKeys;

/** Small tasks for a shell, each checked by one file. */
export const terminalTest: EnvironmentDefinition<TerminalTestConfig, TerminalTask> = {
  id: 'terminal-test',
  version: '1.0.0',
  description: 'Small files to write with a terminal',
  config: z.strictObject(datasetKeys),
  places: datasetPlaces,
  open: async (keys, context) => {
    const places = { keys, hub: null, builtin: 'terminal-test.jsonl', columns: terminalColumns };
    return createTerminalTestEnvironment(await readProblems(places, readTerminalRow, context));
  },
};
