import type { ToolCallContext } from '@hermes/protocol';
import type { FileStat, Sandbox } from '@hermes/sandbox';
import { fileErrorText } from '../_file-errors.ts';
import { realPath, statFollowingLinks } from '../_follow-links.ts';
import { absolutePath } from '../_paths.ts';
import { isProtectedFrom } from '../_protected-paths.ts';
import { READ_TIMEOUT_MS, readBytesInTime } from '../_read-in-time.ts';
import type { ToolResources } from '../types.ts';

/** A larger file is changed with a program in the terminal. */
const MAX_BYTES = 32 * 1024 * 1024;

export type PatchFailure = Readonly<{ code: string; error: string; hint?: string }>;

/** A file that a patch names. bytes and stat: null where there is none. path: where it really lies. */
export type PatchTarget = Readonly<{
  spelled: string;
  path: string;
  isLink: boolean;
  stat: FileStat | null;
  bytes: Uint8Array | null;
}>;

/** Looks at a file, reads it, and refuses what must not be changed. */
export async function openTarget(
  sandbox: Sandbox,
  resources: ToolResources,
  spelled: string,
  context: ToolCallContext,
): Promise<PatchTarget | PatchFailure> {
  const asked = await absolutePath(spelled, resources, sandbox);
  if (await isProtectedFrom(sandbox, asked)) return protectedPath(spelled);
  const own = await sandbox.files.stat(asked);
  const isLink = own.ok && own.value.type === 'link';
  const path = await realPath(sandbox.files, asked);
  const found = await statFollowingLinks(sandbox.files, path);
  if (!found.ok) {
    const isNew = found.code === 'FILE_NOT_FOUND' && !asked.endsWith('/');
    return isNew
      ? { spelled, path, isLink, stat: null, bytes: null }
      : fileFailure(found.code, spelled);
  }
  const stat = found.value;
  if (stat.type === 'directory') return fileFailure('IS_A_DIRECTORY', spelled);
  if (stat.type !== 'file') return device(spelled);
  if (stat.size > MAX_BYTES) return tooLarge(spelled);
  const bytes = await readTarget(sandbox, stat, spelled, context);
  return bytes instanceof Uint8Array ? { spelled, path: stat.path, isLink, stat, bytes } : bytes;
}

async function readTarget(
  sandbox: Sandbox,
  stat: FileStat,
  spelled: string,
  context: ToolCallContext,
): Promise<Uint8Array | PatchFailure> {
  const stream = await sandbox.files.readStream(stat.path);
  if (!stream.ok) return fileFailure(stream.code, spelled);
  const bytes = await readBytesInTime(stream.value, MAX_BYTES, context);
  if (bytes === 'too_large') return tooLarge(spelled);
  return (
    bytes ?? {
      code: 'READ_TIMEOUT',
      error: `Reading ${spelled} took longer than ${READ_TIMEOUT_MS / 1000}s`,
    }
  );
}

export function isFailure(value: object): value is PatchFailure {
  return 'error' in value;
}

function fileFailure(code: Parameters<typeof fileErrorText>[0], spelled: string): PatchFailure {
  return { code, error: fileErrorText(code, spelled) };
}

function tooLarge(spelled: string): PatchFailure {
  const error = `${spelled} is larger than ${MAX_BYTES / 1024 / 1024} MiB. Change it with a program in the terminal.`;
  return { code: 'FILE_TOO_LARGE', error };
}

function device(spelled: string): PatchFailure {
  const error = `Cannot change ${spelled}: it is a device, a pipe or a socket, not a file`;
  return { code: 'DEVICE_FILE', error };
}

function protectedPath(spelled: string): PatchFailure {
  const error = `Changing ${spelled} is refused: it is a system file or a private file of this machine, which commands here are not isolated from`;
  return { code: 'PROTECTED_PATH', error };
}
