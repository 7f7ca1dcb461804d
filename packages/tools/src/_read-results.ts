import type { JsonObject, ToolResult } from '@hermes/protocol';
import type { LineWindow } from './_line-window.ts';
import type { Region } from './_read-history.ts';
import { countCodePoints, withThousands } from './_text.ts';
import { completed, failed } from './_tool.ts';

const MAX_CHARS = 100_000;
const LARGE_FILE_BYTES = 512_000;
const LARGE_LIMIT = 200;
const WARNED_AT = 3;

/** The lines that were asked for, or why they are too many. */
export function presentWindow(
  window: LineWindow,
  asked: Region,
  fileSize: number,
  repeat: number,
): ToolResult {
  const content = window.lines.join('\n');
  const chars = countCodePoints(content);
  if (chars > MAX_CHARS) return tooLong(window, asked.path, fileSize, chars);
  const lastLine = asked.offset + asked.limit - 1;
  const truncated = window.totalLines > lastLine;
  return completed({
    content,
    total_lines: window.totalLines,
    file_size: fileSize,
    truncated,
    is_binary: false,
    is_image: false,
    ...(truncated ? { hint: hintFor(window, asked, lastLine, fileSize) } : {}),
    ...(repeat >= WARNED_AT ? { _warning: repeatWarning(repeat) } : {}),
  });
}

/** The model has this text already. */
export function unchanged(path: string): JsonObject {
  const content =
    'The file has not changed since you last read this part: what you got then still holds.';
  return { content, path, dedup: true };
}

/** Asked for the same lines too often in a row. */
export function alreadyRead(path: string, repeat: number): ToolResult {
  const error = `BLOCKED: you asked for this part of the file ${repeat} times in a row and nothing else happened in between. You have the text; go on with the task.`;
  return failed('REPEATED_READ', { error, path, already_read: repeat });
}

/** An image is no text; another tool may show it. */
export function imageFile(fileSize: number): JsonObject {
  return {
    ...withoutText(fileSize),
    is_image: true,
    hint: 'This is an image. Look at it with vision_analyze if you have that tool, or examine it with a program in the terminal.',
  };
}

/** Not text by its name or its first bytes. */
export function binaryFile(fileSize: number): ToolResult {
  const error =
    'This is a binary file and cannot be shown as text. Use a program that reads its format.';
  return failed('BINARY_FILE', { ...withoutText(fileSize), error });
}

function withoutText(fileSize: number): JsonObject {
  return {
    content: '',
    total_lines: 0,
    file_size: fileSize,
    truncated: false,
    is_binary: true,
    is_image: false,
  };
}

function tooLong(window: LineWindow, path: string, fileSize: number, chars: number): ToolResult {
  const error = `These lines have ${withThousands(chars)} characters, more than the ${withThousands(MAX_CHARS)} that can be shown at once. Ask for fewer with offset and limit.`;
  const facts = { path, total_lines: window.totalLines, file_size: fileSize };
  return failed('RESULT_TOO_LONG', { error, ...facts });
}

function hintFor(window: LineWindow, asked: Region, lastLine: number, fileSize: number): string {
  const next = `Lines ${asked.offset}-${lastLine} of ${window.totalLines} are shown; go on with offset=${lastLine + 1}.`;
  const isLarge = fileSize > LARGE_FILE_BYTES && asked.limit > LARGE_LIMIT;
  if (!isLarge) return next;
  return `${next} The file is large (${withThousands(fileSize)} bytes): read only the parts you need, with a smaller limit.`;
}

function repeatWarning(repeat: number): string {
  return `You have asked for exactly this part ${repeat} times in a row and it is the same. Use what you have; the next time will be refused.`;
}
