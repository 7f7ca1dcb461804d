import type { FileCode, FileResult, FileStat } from '../types.ts';
import { SandboxError } from '../types.ts';
import { isSandboxError } from './errors.ts';
import { parseControl, parseErrorFrame } from './welcome.ts';

/** The payload of file_put and file_get. */
export type TransferFrame = Readonly<{
  path: string;
  form: 'file' | 'tar';
  mode?: number;
  user?: string;
  maxBytes?: number;
  digest?: 'crc32' | 'sha256';
  credit?: number;
}>;

/** The payload of file_op. */
export type FileOpFrame = Readonly<{
  op: 'stat' | 'list' | 'mkdir' | 'remove' | 'rename';
  path: string;
  to?: string;
  recursive?: boolean;
  user?: string;
}>;

/** How many bytes there were, and the digest that was asked for; the other one is empty. */
export type FileEnd = Readonly<{ size: number; sha256: string; crc32: string }>;

const CODES: ReadonlySet<string> = new Set<FileCode>([
  'FILE_NOT_FOUND',
  'NOT_A_DIRECTORY',
  'IS_A_DIRECTORY',
  'PERMISSION',
  'FILE_TOO_LARGE',
  'NO_SPACE',
  'PATH_ESCAPE',
  'ALREADY_EXISTS',
]);

function isFileCode(code: unknown): code is FileCode {
  return typeof code === 'string' && CODES.has(code);
}

/** A file_reply as a result; what is no file code is an error of the supervisor's. */
export function parseFileReply(payload: Buffer, path: string): FileResult<unknown> {
  const reply = parseControl(payload);
  if (reply.ok === true) return { ok: true, value: reply.value };
  const { code } = reply;
  if (!isFileCode(code)) throw fileTrouble(path, `${String(code)} ${String(reply.message)}`);
  return { ok: false, code, path: typeof reply.path === 'string' ? reply.path : path };
}

export function parseFileEnd(payload: Buffer): FileEnd {
  const { size, sha256, crc32 } = parseControl(payload);
  return { size: Number(size), sha256: String(sha256), crc32: String(crc32 ?? '') };
}

/** What ended a transfer after its good reply; `failedCode` tells a file's own trouble from the supervisor's. */
export function fileErrorFrame(payload: Buffer, path: string): SandboxError {
  const { code, message } = parseErrorFrame(payload);
  if (!isFileCode(code)) return fileTrouble(path, `${code} ${message}`);
  const details = { code, path };
  return new SandboxError('TRANSPORT', 'request', `file operation on ${path}: ${code}`, {
    details,
  });
}

/** The file code with which a transfer broke off; null when it was something else. */
export function failedCode(cause: unknown): FileCode | null {
  const code = isSandboxError(cause) ? cause.details?.code : null;
  return isFileCode(code) ? code : null;
}

/** The value of a stat, or one of a list. */
export function parseFileStat(value: unknown): FileStat {
  const stat = value as FileStat;
  return {
    path: stat.path,
    type: stat.type,
    size: stat.size,
    mode: stat.mode,
    mtimeMs: stat.mtimeMs,
    linkTarget: stat.linkTarget ?? null,
  };
}

function fileTrouble(path: string, what: string): SandboxError {
  return new SandboxError('SANDBOX_UNHEALTHY', 'request', `file operation on ${path}: ${what}`);
}
