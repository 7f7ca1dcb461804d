import { chmod, copyFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { type CacheLayout, cacheLayout } from './cache-layout.ts';
import { downloadBlob } from './download-blob.ts';
import { withFileLock } from './file-lock.ts';
import type { HubContext } from './hub-context.ts';
import { describe, type HubSubject } from './hub-errors.ts';
import type { TreeFile } from './list-tree.ts';
import { notCached } from './resolve-commit.ts';
import { placeFile } from './write-file.ts';

/** The path of one file of a commit on this machine, downloaded if it is not there yet. */
export async function downloadFile(
  context: HubContext,
  id: string,
  commit: string,
  file: TreeFile,
): Promise<string> {
  const layout = cacheLayout(context.cacheDir, id);
  const path = layout.snapshot(commit, file.path);
  if ((await sizeOf(path)) === file.size) return path;
  const subject = { id, revision: commit, path: file.path };
  if (context.offline || file.digest === null) throw notCached(subject, path);
  await fetchBlob(context, subject, layout, { digest: file.digest, size: file.size });
  await linkBlob(layout.blob(file.digest), path);
  return path;
}

async function fetchBlob(
  context: HubContext,
  subject: HubSubject,
  layout: CacheLayout,
  expected: Readonly<{ digest: string; size: number }>,
): Promise<void> {
  const blob = layout.blob(expected.digest);
  const tellWait = () =>
    context.logger.log('info', `waiting for another process to download ${describe(subject)}`);
  const { clock, signal } = context;
  const path = layout.lock(expected.digest);
  await withFileLock({ path, clock, signal, onWait: tellWait }, async (former) => {
    if ((await sizeOf(blob)) === expected.size) return;
    const partial = `${blob}.incomplete`;
    // a silent holder may wake up and write on: into a file that has no name any more
    if (former === 'silent') await rm(partial, { force: true });
    await downloadBlob(context, subject, partial, expected);
    await chmod(partial, 0o444);
    await rename(partial, blob);
  });
}

/** A relative link, as Python makes it; a copy where the file system has no links. */
async function linkBlob(blob: string, path: string): Promise<void> {
  await placeFile(path, async (temporary) => {
    try {
      await symlink(relative(dirname(path), blob), temporary);
    } catch {
      await rm(temporary, { force: true });
      await copyFile(blob, temporary);
    }
  });
}

/** null = nothing is there. */
async function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    (info) => info.size,
    () => null,
  );
}
