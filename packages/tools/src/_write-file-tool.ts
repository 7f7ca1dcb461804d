import { posix } from 'node:path';
import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import type { FileResult, FileStat, Sandbox } from '@hermes/sandbox';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import { fileErrorText } from './_file-errors.ts';
import { writeFileSchema } from './_file-schemas.ts';
import { statFollowingLinks } from './_follow-links.ts';
import { absolutePath } from './_paths.ts';
import { isProtectedFrom } from './_protected-paths.ts';
import type { FileParts } from './_read-file-tool.ts';
import type { ReadHistory } from './_read-history.ts';
import { completed, defineTool, failed } from './_tool.ts';

const ARGUMENTS = z.object({ path: z.string().min(1), content: z.string() });

/** The tool `write_file`. */
export function createWriteFileTool(parts: FileParts): Tool {
  return defineTool({
    schema: writeFileSchema,
    parallel: false,
    maxResultChars: 100_000,
    run: (args, context) => run(parts, args, context),
    errorDocument: (error) => ({ error }),
  });
}

async function run(
  { resources, history }: FileParts,
  args: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return failed('INVALID_ARGUMENTS', { error: parsed.message });
  const { path: spelled, content } = parsed.value;
  const sandbox = await resources.sandbox(context.signal);
  const path = await absolutePath(spelled, resources, sandbox);
  if (await isProtectedFrom(sandbox, path)) return refused(spelled);
  const before = await statFollowingLinks(sandbox.files, path);
  if (before.ok && before.value.type === 'other') return noFile(spelled);
  return await write(history, { sandbox, path, spelled, content, before });
}

type Writing = Readonly<{
  sandbox: Sandbox;
  path: string;
  spelled: string;
  content: string;
  before: FileResult<FileStat>;
}>;

async function write(history: ReadHistory, writing: Writing): Promise<ToolResult> {
  const { sandbox, path, spelled, content, before } = writing;
  const target = before.ok ? before.value.path : path;
  const dirsCreated = !before.ok && (await isMissing(sandbox, posix.dirname(target)));
  const bytes = new TextEncoder().encode(content);
  const written = await sandbox.files.write(target, bytes, modeOf(before));
  if (!written.ok) return failed(written.code, { error: fileErrorText(written.code, spelled) });
  const stale = before.ok && history.changedSinceSeen(before.value);
  const after = await statFollowingLinks(sandbox.files, target);
  if (after.ok) history.noteWrite(after.value);
  const document = { bytes_written: bytes.length, dirs_created: dirsCreated };
  return completed(stale ? { ...document, _warning: staleWarning(spelled) } : document);
}

/** A file that is replaced keeps its mode: a script stays executable. */
function modeOf(before: FileResult<FileStat>): { readonly mode?: number } {
  return before.ok && before.value.type === 'file' ? { mode: before.value.mode & 0o7777 } : {};
}

async function isMissing(sandbox: Sandbox, folder: string): Promise<boolean> {
  const stat = await sandbox.files.stat(folder);
  return !stat.ok && stat.code === 'FILE_NOT_FOUND';
}

function refused(path: string): ToolResult {
  const error = `Writing ${path} is refused: it is a system file or a private file of this machine, which commands here are not isolated from`;
  return failed('PROTECTED_PATH', { error });
}

/** Replacing it would take a device away from the whole machine, or a pipe from its readers. */
function noFile(path: string): ToolResult {
  const error = `Cannot write ${path}: it is a device, a pipe or a socket, not a file`;
  return failed('DEVICE_FILE', { error });
}

function staleWarning(path: string): string {
  return `${path} had been changed by something else since you last saw it; that change is now overwritten. Read it again if you did not expect this.`;
}
