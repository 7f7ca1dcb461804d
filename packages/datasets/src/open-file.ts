import { digestFile } from './_digest.ts';
import { checkRegularFile } from './_stat-path.ts';
import type { RowFile } from './row-file.ts';
import { rowFormat } from './row-formats.ts';
import type { FileSource } from './types.ts';

/** Files that lie on this machine, and what identifies their content. */
export type LocalFiles = Readonly<{ files: readonly RowFile[]; revision: string }>;

/** One file; its revision is the digest of its bytes. */
export async function openFile(source: FileSource, signal: AbortSignal): Promise<LocalFiles> {
  await checkRegularFile(source.path);
  rowFormat(source.path);
  const file = { path: source.path, label: source.path, columns: source.columns };
  return { files: [file], revision: await digestFile(source.path, signal) };
}
