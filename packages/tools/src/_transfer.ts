import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { FileResult, FileStat, Sandbox } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { statFollowingLinks } from './_follow-links.ts';

/** Writes and looks whether all of it arrived. */
export async function writeChecked(
  sandbox: Sandbox,
  path: string,
  data: Uint8Array | string,
  options?: { readonly mode?: number },
): Promise<FileResult<null>> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const written = await sandbox.files.write(path, bytes, options);
  return written.ok ? await checkSize(sandbox, path, bytes.length) : written;
}

/** A file or a folder of this machine into the sandbox. */
export async function upload(
  sandbox: Sandbox,
  local: string,
  path: string,
  signal: AbortSignal,
): Promise<FileResult<null>> {
  const facts = await stat(local).catch(() => null);
  if (facts === null) return { ok: false, code: 'FILE_NOT_FOUND', path: local };
  if (facts.isDirectory()) return await sandbox.files.uploadTree(local, path);
  let sent = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(local, { signal: AbortSignal.any([signal]) })) {
      sent += chunk.length;
      yield chunk;
    }
  };
  const mode = facts.mode & 0o777;
  const written = await sandbox.files.write(path, counted(), { mode }).catch(asSandboxError(local));
  return written.ok ? await checkSize(sandbox, path, sent) : written;
}

type DownloadOptions = Readonly<{ effects: Effects; signal: AbortSignal }>;

/** A file or a folder of the sandbox to this machine. A file appears whole or not at all. */
export async function download(
  sandbox: Sandbox,
  path: string,
  local: string,
  options: DownloadOptions,
): Promise<FileResult<null>> {
  const found = await statFollowingLinks(sandbox.files, path);
  if (!found.ok) return { ...found, path };
  if (found.value.type === 'directory') {
    return await sandbox.files.downloadTree(found.value.path, local);
  }
  return await downloadFile(sandbox, found.value, local, options);
}

async function downloadFile(
  sandbox: Sandbox,
  before: FileStat,
  local: string,
  { effects, signal }: DownloadOptions,
): Promise<FileResult<null>> {
  const stream = await sandbox.files.readStream(before.path);
  if (!stream.ok) return stream;
  const part = `${local}.${effects.newId('part')}`;
  try {
    await mkdir(dirname(local), { recursive: true });
    await pipeline(Readable.from(stream.value), createWriteStream(part), {
      signal: AbortSignal.any([signal]), // many transfers at once do not crowd one signal
    });
    await requireWhole(sandbox, before, (await stat(part)).size);
    await rename(part, local);
    return { ok: true, value: null };
  } catch (error) {
    return asSandboxError(local)(error);
  } finally {
    await rm(part, { force: true }).catch(() => undefined); // it may lie where nothing can be
  }
}

/** More is whole too: a log grows, and the kernel's own files do not tell their size. */
async function requireWhole(sandbox: Sandbox, before: FileStat, received: number): Promise<void> {
  if (received >= before.size || before.type !== 'file') return;
  const after = await sandbox.files.stat(before.path);
  if (after.ok && after.value.mtimeMs !== before.mtimeMs) return;
  throw incomplete(before.path, before.size, received);
}

async function checkSize(
  sandbox: Sandbox,
  path: string,
  expected: number,
): Promise<FileResult<null>> {
  const found = await statFollowingLinks(sandbox.files, path);
  if (!found.ok) return found;
  const { type, size } = found.value;
  if (type === 'file' && size !== expected) throw incomplete(path, expected, size);
  return { ok: true, value: null };
}

function incomplete(path: string, expected: number, got: number): SandboxError {
  const message = `The transfer of ${path} is incomplete: ${got} of ${expected} bytes arrived`;
  return new SandboxError('TRANSPORT', 'request', message, { retryable: true });
}

function asSandboxError(local: string): (cause: unknown) => never {
  return (cause) => {
    if (HermesError.isInstance(cause)) throw cause;
    const isAbort = cause instanceof Error && cause.name === 'AbortError';
    const code = isAbort ? 'CANCELLED' : 'TRANSPORT';
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxError(code, 'request', `The transfer of ${local} failed: ${why}`, { cause });
  };
}
