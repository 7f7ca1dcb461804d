import { extname, resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import type { ProcessFlags } from './process-flags.ts';

/** Where `process` keeps its run: the folder that was named, else `out.run` beside `out.jsonl`, so that the same command with `--resume` finds it. */
export function processFolder(
  file: string,
  { runDir }: Pick<ProcessFlags, 'runDir'>,
  { workingDirectory }: CliContext,
): string {
  if (runDir !== undefined) return resolve(workingDirectory, runDir);
  return `${file.slice(0, file.length - extname(file).length)}.run`;
}
