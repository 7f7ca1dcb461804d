import type { FileResult, FileStat, SandboxFiles } from '../types.ts';
import type { Activity } from './activity.ts';
import { ByteSink } from './byte-sink.ts';
import { isAsyncIterable } from './bytes.ts';
import { isSandboxError, unsupported } from './errors.ts';
import { resolvePath } from './exec-request.ts';
import { extractTree } from './extract-tree.ts';
import { type FileOpFrame, failedCode, parseFileStat, type TransferFrame } from './file-frames.ts';
import type { FileSource } from './file-put.ts';
import { openFileStream } from './file-stream.ts';
import type { FileTransport } from './file-transport.ts';
import { packTree } from './pack-tree.ts';

const DEFAULT_READ_BYTES = 104_857_600;
const DEFAULT_TREE_BYTES = 1_073_741_824;
/** A file that says it is empty may be one of /proc, which is not. */
const LEAST_READ_BYTES = 4096;

export type FilesParts = Readonly<{
  /** Whether another user than the sandbox's own may be named. */
  users: boolean;
  transport: FileTransport;
  workdir: string;
  activity: Activity;
  /** Whose rights count where no user is named; absent: the supervisor's own. */
  user: string | undefined;
}>;

/** A path, and whose rights count there. */
type Place = Readonly<{ path: string; user?: string }>;

/** The file side of a sandbox over either transport. */
export function createFiles(parts: FilesParts): SandboxFiles {
  const at = (path: string, options?: { readonly user?: string }) => {
    if (options?.user !== undefined && !parts.users)
      throw unsupported(`use files as ${options.user}: this sandbox has one user`);
    return resolvePath(parts.workdir, path);
  };
  const busy = <T>(work: () => Promise<T>) => parts.activity.during(work);
  const own = parts.user === undefined ? {} : { user: parts.user };
  const change = (request: FileOpFrame) =>
    busy(() => operate(parts.transport, { ...own, ...request }));
  return {
    read: (path, options) =>
      busy(async () =>
        settled(
          twice(() => read(parts.transport, readFrame(at(path, options), { ...own, ...options }))),
          at(path),
        ),
      ),
    readStream: (path) => busy(() => openFileStream(parts.transport, at(path), own)),
    write: (path, data, options) =>
      busy(async () =>
        putFile(
          parts.transport,
          { path: at(path, options), form: 'file', ...own, ...options },
          data,
        ),
      ),
    stat: (path) => busy(() => twice(() => stat(parts.transport, { ...own, path: at(path) }))),
    list: (path) => busy(() => twice(() => list(parts.transport, { ...own, path: at(path) }))),
    mkdir: (path) => twice(() => change({ op: 'mkdir', path: at(path) })),
    remove: (path, options) =>
      change({ op: 'remove', path: at(path), recursive: options?.recursive ?? false }),
    rename: (from, to) => change({ op: 'rename', path: at(from), to: at(to) }),
    uploadTree: (localDir, path, options) =>
      busy(async () =>
        parts.transport.put(
          { path: at(path, options), form: 'tar', ...own, ...options },
          packTree(localDir),
        ),
      ),
    downloadTree: (path, localDir, options) =>
      busy(() =>
        settled(
          downloadTree(parts.transport, { ...own, path: at(path) }, localDir, options?.maxBytes),
          at(path),
        ),
      ),
  };
}

/** Does what may be done twice once more, when the channel broke meanwhile. */
async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const again = isSandboxError(cause) && cause.code === 'TRANSPORT' && cause.retryable;
    if (!again) throw cause;
    return work();
  }
}

/** A transfer that broke off for a file's own trouble is a value too. */
async function settled<T>(work: Promise<FileResult<T>>, path: string): Promise<FileResult<T>> {
  try {
    return await work;
  } catch (cause) {
    const code = failedCode(cause);
    if (code === null) throw cause;
    return { ok: false, code, path };
  }
}

function readFrame(
  path: string,
  options: Readonly<{ maxBytes?: number; user?: string }>,
): TransferFrame & { maxBytes: number } {
  return { path, form: 'file', maxBytes: DEFAULT_READ_BYTES, ...options };
}

async function read(
  transport: FileTransport,
  request: TransferFrame & { maxBytes: number },
): Promise<FileResult<Uint8Array>> {
  let sink = new ByteSink(0);
  let tooLarge = false;
  const begin = (stat: FileStat | null) => {
    sink = new ByteSink(Math.min(Math.max(stat?.size ?? 0, LEAST_READ_BYTES), request.maxBytes));
  };
  const data = (chunk: Buffer) => {
    tooLarge ||= sink.length + chunk.length > request.maxBytes;
    if (!tooLarge) sink.append(chunk);
    return true;
  };
  const download = await transport.get(request, { begin, data });
  const reply = await download.reply;
  if (!reply.ok) return reply;
  await download.done;
  if (tooLarge) return { ok: false, code: 'FILE_TOO_LARGE', path: request.path };
  return { ok: true, value: sink.toBytes() };
}

/** A stream can be read only once, all else may be sent again. */
function putFile(
  transport: FileTransport,
  request: TransferFrame,
  data: FileSource,
): Promise<FileResult<null>> {
  const put = () => transport.put(request, data);
  return isAsyncIterable(data) ? put() : twice(put);
}

async function operate(transport: FileTransport, request: FileOpFrame): Promise<FileResult<null>> {
  const result = await transport.op(request);
  return result.ok ? { ok: true, value: null } : result;
}

async function stat(transport: FileTransport, place: Place): Promise<FileResult<FileStat>> {
  const result = await transport.op({ op: 'stat', ...place });
  return result.ok ? { ok: true, value: parseFileStat(result.value) } : result;
}

async function list(
  transport: FileTransport,
  place: Place,
): Promise<FileResult<readonly FileStat[]>> {
  const result = await transport.op({ op: 'list', ...place });
  if (!result.ok) return result;
  const entries = Array.isArray(result.value) ? result.value : [];
  return { ok: true, value: entries.map(parseFileStat) };
}

async function downloadTree(
  transport: FileTransport,
  { path, ...own }: Place,
  localDir: string,
  maxBytes: number = DEFAULT_TREE_BYTES,
): Promise<FileResult<null>> {
  const archive = await openFileStream(transport, path, { ...own, form: 'tar', maxBytes });
  if (!archive.ok) return archive;
  return extractTree(archive.value, localDir, maxBytes);
}
