import { createHash } from 'node:crypto';
import type { FileCode, Sandbox } from '@hermes/sandbox';
import { Refusal } from '../http/refusal.ts';
import type { Place } from './inside-workspace.ts';

/** The start of a file. fileSize: of all of it. sha256: of the bytes that are here. */
export type FileHead = Readonly<{ bytes: Uint8Array; fileSize: number; sha256: string }>;

/** Throws a Refusal: 404 not there, 400 no file, 403 not readable. */
export async function readHead(
  sandbox: Sandbox,
  { path, shown }: Place,
  maxBytes: number,
): Promise<FileHead> {
  const stat = await sandbox.files.stat(path);
  if (!stat.ok) throw fileRefusal(stat.code, shown);
  if (stat.value.type !== 'file') throw new Refusal(400, `${shown} is no file`);
  const stream = await sandbox.files.readStream(path);
  if (!stream.ok) throw fileRefusal(stream.code, shown);
  const bytes = await firstBytes(stream.value, maxBytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, fileSize: stat.value.size, sha256 };
}

async function firstBytes(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

const STATUS: Readonly<Partial<Record<FileCode, number>>> = {
  FILE_NOT_FOUND: 404,
  PERMISSION: 403,
  PATH_ESCAPE: 403,
  FILE_TOO_LARGE: 413,
};

/** What a file operation met, as a status. */
export function fileRefusal(code: FileCode, shown: string): Refusal {
  return new Refusal(STATUS[code] ?? 400, `${shown}: ${code}`);
}
