import type { FileResult, FileStat } from '../types.ts';
import { transportError } from './errors.ts';
import {
  type FileEnd,
  fileErrorFrame,
  parseFileEnd,
  parseFileReply,
  parseFileStat,
  type TransferFrame,
} from './file-frames.ts';
import { FRAME } from './frames.ts';
import type { Link } from './link.ts';
import { ReceiveCredit } from './receive-credit.ts';
import { ReplyCall } from './reply-call.ts';
import { createTransferDigest } from './transfer-digest.ts';

/** Bytes that may be on their way to a slow reader. */
const DOWNLOAD_CREDIT = 4_194_304;

/** Where the bytes of a download go. `data` returns false when it keeps the chunk and will say so with `consumed`. */
export type FileSink = Readonly<{
  begin: (stat: FileStat | null) => void;
  data: (chunk: Buffer) => boolean;
}>;

export type Download = Readonly<{
  /** Resolves when the supervisor has said whether the file can be read. */
  reply: Promise<FileResult<FileStat | null>>;
  /** Resolves when all has come and its digest is right; rejects with TRANSPORT or SANDBOX_GONE. */
  done: Promise<void>;
  consumed: (bytes: number) => void;
}>;

/** Asks for a file, or for a tree as a tar archive. */
export function download(link: Link, request: TransferFrame, sink: FileSink): Download {
  const digest = createTransferDigest(link);
  let settle: (reply: FileResult<FileStat | null>) => void = () => undefined;
  const answered = new Promise<FileResult<FileStat | null>>((resolve) => {
    settle = resolve;
  });
  const call: ReplyCall = new ReplyCall(link, (type, payload) => {
    if (type === FRAME.fileData) {
      digest.add(payload);
      if (sink.data(payload)) credit.consumed(payload.length);
      return false;
    }
    if (type === FRAME.error) throw fileErrorFrame(payload, request.path);
    if (type === FRAME.fileEnd) return checkEnd(payload, digest.end(), request.path);
    if (type !== FRAME.fileReply) return false;
    const reply = parseFileReply(payload, request.path);
    if (reply.ok) sink.begin(reply.value === null ? null : parseFileStat(reply.value));
    settle(reply.ok ? { ok: true, value: reply.value as FileStat | null } : reply);
    return !reply.ok;
  });
  const credit = new ReceiveCredit(link, call.id, DOWNLOAD_CREDIT / 4);
  link.control(FRAME.fileGet, call.id, {
    ...request,
    digest: digest.name,
    credit: DOWNLOAD_CREDIT,
  });
  const lost = call.done.then((): never => {
    throw transportError(`read ${request.path}: it ended without an answer`);
  });
  lost.catch(() => undefined);
  const reply = Promise.race([answered, lost]);
  reply.catch(() => undefined);
  return { reply, done: call.done, consumed: (bytes) => credit.consumed(bytes) };
}

function checkEnd(payload: Buffer, come: FileEnd, path: string): true {
  const sent = parseFileEnd(payload);
  if (sent.size !== come.size || sent.sha256 !== come.sha256 || sent.crc32 !== come.crc32)
    throw transportError(`read ${path}: the bytes that came are not those that were sent`);
  return true;
}
