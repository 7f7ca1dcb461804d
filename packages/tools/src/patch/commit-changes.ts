import type { FileCode, FileResult, SandboxFiles } from '@hermes/sandbox';
import { missingFolders, removeEmpty } from './new-folders.ts';

/** One change of the sandbox's disk. before: what to put back if a later one fails; null: there was nothing. */
export type FileChange = Readonly<
  | {
      kind: 'write';
      path: string;
      spelled: string;
      bytes: Uint8Array;
      before: Uint8Array | null;
      mode: number | null;
    }
  | { kind: 'remove'; path: string; spelled: string; before: Uint8Array; mode: number }
  | { kind: 'rename'; path: string; spelled: string; to: string }
>;

/** stuck: files that could not be put back, as they are spelled. */
export type CommitResult = Readonly<
  { ok: true } | { ok: false; code: FileCode; spelled: string; stuck: readonly string[] }
>;

/** folders: those that had to be made for the change. */
type Made = Readonly<{ change: FileChange; folders: readonly string[] }>;

/** Makes all changes or none: when one fails, those before it are taken back. */
export async function commitChanges(
  files: SandboxFiles,
  changes: readonly FileChange[],
): Promise<CommitResult> {
  const made: Made[] = [];
  try {
    for (const change of changes) {
      const folders = await missingFolders(files, newPathOf(change));
      const result = await apply(files, change);
      if (!result.ok) {
        await removeEmpty(files, folders);
        const stuck = await takeBack(files, made);
        return { ok: false, code: result.code, spelled: change.spelled, stuck };
      }
      made.push({ change, folders });
    }
    return { ok: true };
  } catch (error) {
    await takeBack(files, made).catch(() => undefined); // the first error is the one to tell
    throw error;
  }
}

function apply(files: SandboxFiles, change: FileChange): Promise<FileResult<null>> {
  if (change.kind === 'remove') return files.remove(change.path);
  if (change.kind === 'rename') return files.rename(change.path, change.to);
  return files.write(change.path, change.bytes, modeOf(change));
}

async function takeBack(files: SandboxFiles, made: readonly Made[]): Promise<readonly string[]> {
  const stuck: string[] = [];
  for (const { change, folders } of made.toReversed()) {
    const result = await undo(files, change);
    if (!result.ok) stuck.push(change.spelled);
    await removeEmpty(files, folders);
  }
  return stuck;
}

/** Where a change makes a file that is not there yet; null: nowhere. */
function newPathOf(change: FileChange): string | null {
  if (change.kind === 'rename') return change.to;
  return change.kind === 'write' && change.before === null ? change.path : null;
}

function undo(files: SandboxFiles, change: FileChange): Promise<FileResult<null>> {
  if (change.kind === 'rename') return files.rename(change.to, change.path);
  if (change.before === null) return files.remove(change.path);
  return files.write(change.path, change.before, modeOf(change));
}

function modeOf({ mode }: { readonly mode: number | null }): { readonly mode?: number } {
  return mode === null ? {} : { mode };
}
