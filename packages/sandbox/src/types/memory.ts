import type { Command } from './exec.ts';

/** A command as its script sees it. files: all files of the sandbox by absolute path; changes to the map are changes of files. */
export type MemoryCall = Readonly<{
  command: Command;
  stdin: Uint8Array;
  files: Map<string, Uint8Array>;
  cwd: string;
  signal: AbortSignal;
}>;

/** What a scripted command answers. */
export type MemoryAnswer = Readonly<{ exitCode: number; stdout?: string; stderr?: string }>;
