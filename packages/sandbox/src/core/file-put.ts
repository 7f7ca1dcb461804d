import type { FileResult } from '../types.ts';
import { isAsyncIterable } from './bytes.ts';
import { fileErrorFrame, parseFileReply, type TransferFrame } from './file-frames.ts';
import { FRAME, MAX_FILE_DATA_BYTES } from './frames.ts';
import type { Link } from './link.ts';
import { ReplyCall } from './reply-call.ts';
import { SendWindow, sendBulk, sendData } from './send-window.ts';
import { createTransferDigest, type TransferDigest } from './transfer-digest.ts';

export type FileSource = Uint8Array | string | AsyncIterable<Uint8Array>;

/** Sends a file, or a tree as a tar archive. Rejects with TRANSPORT, SANDBOX_GONE, or the source's own error. */
export async function upload(
  link: Link,
  request: TransferFrame,
  source: FileSource,
): Promise<FileResult<null>> {
  const window = new SendWindow(link);
  let result: FileResult<unknown> | null = null;
  const call = new ReplyCall(link, (type, payload) => {
    if (type === FRAME.credit) window.add(payload.readUInt32BE(0));
    if (type === FRAME.error) throw fileErrorFrame(payload, request.path);
    if (type === FRAME.fileReply) result = parseFileReply(payload, request.path);
    return result !== null;
  });
  const stop = () => window.close();
  call.done.then(stop, stop);
  const digest = createTransferDigest(link);
  link.control(FRAME.filePut, call.id, { ...request, digest: digest.name });
  await sendAll(link, call, window, source, digest);
  await call.done;
  return outcome(result, request.path);
}

async function sendAll(
  link: Link,
  call: ReplyCall,
  window: SendWindow,
  source: FileSource,
  digest: TransferDigest,
): Promise<void> {
  // A stream may use its memory again for the next piece; whole bytes stay what they are until the end.
  const send = isAsyncIterable(source) ? sendData : sendBulk;
  try {
    for await (const piece of piecesOf(source)) {
      if (window.closed) return;
      digest.add(piece);
      await send(link, FRAME.fileData, call.id, window, piece);
    }
  } catch (cause) {
    abandon(link, call);
    throw cause;
  }
  if (!window.closed) link.control(FRAME.fileEnd, call.id, digest.end());
}

/** A digest that cannot be right makes the supervisor drop what has come. */
function abandon(link: Link, call: ReplyCall): void {
  link.control(FRAME.fileEnd, call.id, { size: -1, sha256: '', crc32: '' });
  call.finish();
}

function piecesOf(source: FileSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (isAsyncIterable<Uint8Array>(source)) return source;
  return slices(typeof source === 'string' ? Buffer.from(source) : source);
}

/** Small slices let the digest of one be computed while another is on its way. */
function* slices(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_FILE_DATA_BYTES)
    yield bytes.subarray(at, at + MAX_FILE_DATA_BYTES);
}

function outcome(result: FileResult<unknown> | null, path: string): FileResult<null> {
  if (result?.ok === true) return { ok: true, value: null };
  return result ?? { ok: false, code: 'FILE_NOT_FOUND', path };
}
