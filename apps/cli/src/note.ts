import type { CliContext } from './context.ts';

/** Tells something that is no error. */
export function note({ stderr }: Pick<CliContext, 'stderr'>, text: string): void {
  stderr.write(`note: ${text}\n`);
}
