import type { Readable } from 'node:stream';
import type { EnvironmentDefinition } from '@hermes/env-core';
import type { ModelEntry } from './models.ts';
import type { ParserEntry } from './parsers.ts';

/** Where a command writes. `isTerminal` decides between live and plain progress; `columns` is the width of a terminal. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
}

/** Everything a command may touch: the process is read nowhere else. */
export interface CliContext {
  /** Opened only by a command that reads it. */
  readonly stdin: () => Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly workingDirectory: string;
  readonly environmentVariables: Readonly<Record<string, string | undefined>>;
  /** Fires on SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  readonly environments: readonly EnvironmentDefinition[];
  readonly models: readonly ModelEntry[];
  readonly parsers: readonly ParserEntry[];
}
