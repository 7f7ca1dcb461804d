import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import type { FileStat, Sandbox } from '@hermes/sandbox';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import { fileErrorText } from './_file-errors.ts';
import { isBinaryName, isEndlessDevice, isImageName } from './_file-names.ts';
import { readFileSchema } from './_file-schemas.ts';
import { statFollowingLinks } from './_follow-links.ts';
import { absolutePath } from './_paths.ts';
import type { ReadHistory, Region } from './_read-history.ts';
import { READ_TIMEOUT_MS, readInTime } from './_read-in-time.ts';
import { alreadyRead, binaryFile, imageFile, presentWindow, unchanged } from './_read-results.ts';
import { similarFiles } from './_similar-files.ts';
import { completed, defineTool, failed } from './_tool.ts';
import type { ToolResources } from './types.ts';

const MAX_LINES = 2000;
const BLOCKED_AT = 4;

const ARGUMENTS = z.object({
  path: z.string().min(1),
  offset: z.number().int().default(1),
  limit: z.number().int().default(500),
});
type Arguments = z.infer<typeof ARGUMENTS>;

export type FileParts = Readonly<{ resources: ToolResources; history: ReadHistory }>;

/** The tool `read_file`. Its results are never moved to a file: reading that would do it again. */
export function createReadFileTool(parts: FileParts): Tool {
  return defineTool({
    schema: readFileSchema,
    parallel: true,
    maxResultChars: Number.POSITIVE_INFINITY,
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
  const asked = withinBounds(parsed.value);
  if (isEndlessDevice(asked.path)) return device(asked.path);
  const sandbox = await resources.sandbox(context.signal);
  const path = await absolutePath(asked.path, resources, sandbox);
  const region = { ...asked, path };
  const moment = { turn: context.turn, commandsRun: resources.shell.commandsRun };
  const repeat = history.countRepeat(region, moment);
  if (repeat >= BLOCKED_AT) return alreadyRead(asked.path, repeat);
  const found = await statFollowingLinks(sandbox.files, path);
  if (!found.ok) return await missing(sandbox, path, asked.path, found.code);
  const refusal = refuseByKind(found.value, asked.path);
  if (refusal !== null) return refusal;
  if (history.isKnown(region, found.value)) return completed(unchanged(asked.path));
  return await read(sandbox, { region, asked, stat: found.value, repeat, history, context });
}

type Reading = Readonly<{
  region: Region;
  asked: Arguments;
  stat: FileStat;
  repeat: number;
  history: ReadHistory;
  context: ToolCallContext;
}>;

async function read(sandbox: Sandbox, reading: Reading): Promise<ToolResult> {
  const { region, asked, stat, repeat, history, context } = reading;
  const stream = await sandbox.files.readStream(stat.path);
  if (!stream.ok) return failed(stream.code, { error: fileErrorText(stream.code, asked.path) });
  const window = await readInTime(stream.value, region, context);
  if (window === null) return tookTooLong(asked.path);
  if (window.binary) return binaryFile(stat.size);
  const result = presentWindow(window, asked, stat.size, repeat);
  if (result.status === 'completed') history.noteRead(region, stat);
  return result;
}

function withinBounds({ path, offset, limit }: Arguments): Arguments {
  return { path, offset: Math.max(1, offset), limit: Math.min(MAX_LINES, Math.max(1, limit)) };
}

function refuseByKind(stat: FileStat, spelled: string): ToolResult | null {
  if (isEndlessDevice(stat.path) || stat.type === 'other') return device(spelled);
  if (stat.type === 'directory') {
    return failed('IS_A_DIRECTORY', { error: fileErrorText('IS_A_DIRECTORY', spelled) });
  }
  if (isImageName(spelled)) return completed(imageFile(stat.size));
  return isBinaryName(spelled) ? binaryFile(stat.size) : null;
}

async function missing(
  sandbox: Sandbox,
  path: string,
  spelled: string,
  code: Parameters<typeof fileErrorText>[0],
): Promise<ToolResult> {
  const error = fileErrorText(code, spelled);
  if (code !== 'FILE_NOT_FOUND') return failed(code, { error });
  const similar = await similarFiles(sandbox.files, path, spelled);
  return failed(code, similar.length === 0 ? { error } : { error, similar_files: similar });
}

function tookTooLong(path: string): ToolResult {
  const error = `Reading ${path} took longer than ${READ_TIMEOUT_MS / 1000}s. Look at it with a program in the terminal.`;
  return failed('READ_TIMEOUT', { error });
}

function device(path: string): ToolResult {
  const error = `Cannot read ${path}: it is a device that would block or never end`;
  return failed('DEVICE_FILE', { error });
}
