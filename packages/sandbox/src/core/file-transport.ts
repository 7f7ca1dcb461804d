import type { FileResult } from '../types.ts';
import {
  type FileOpFrame,
  fileErrorFrame,
  parseFileReply,
  type TransferFrame,
} from './file-frames.ts';
import { type Download, download, type FileSink } from './file-get.ts';
import { type FileSource, upload } from './file-put.ts';
import { FRAME } from './frames.ts';
import type { Link } from './link.ts';
import { ReplyCall } from './reply-call.ts';

/** How files travel: as frames, or by commands where the supervisor knows no file frames. Paths are absolute. */
export interface FileTransport {
  op(request: FileOpFrame): Promise<FileResult<unknown>>;
  get(request: TransferFrame, sink: FileSink): Promise<Download>;
  put(request: TransferFrame, source: FileSource): Promise<FileResult<null>>;
}

/** Files as frames of the supervisor's. */
export function frameTransport(link: Link): FileTransport {
  return {
    op: async (request) => {
      await link.whenOpen();
      return fileOp(link, request);
    },
    get: async (request, sink) => {
      await link.whenOpen();
      return download(link, request, sink);
    },
    put: async (request, source) => {
      await link.whenOpen();
      return upload(link, request, source);
    },
  };
}

async function fileOp(link: Link, request: FileOpFrame): Promise<FileResult<unknown>> {
  let result: FileResult<unknown> | null = null;
  const call = new ReplyCall(link, (type, payload) => {
    if (type === FRAME.error) throw fileErrorFrame(payload, request.path);
    if (type === FRAME.fileReply) result = parseFileReply(payload, request.path);
    return result !== null;
  });
  link.control(FRAME.fileOp, call.id, request);
  await call.done;
  return result ?? { ok: false, code: 'FILE_NOT_FOUND', path: request.path };
}
