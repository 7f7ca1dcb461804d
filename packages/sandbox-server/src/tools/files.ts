import { z } from 'zod';
import { insideWorkspace } from '../artifacts/inside-workspace.ts';
import { readHead } from '../artifacts/read-head.ts';
import { Refusal } from '../http/refusal.ts';
import { BYTES_OF_CHARACTER, headOf } from './head-of.ts';
import { defineTool, done, failed, type ServerTool, type ToolAnswer } from './tool.ts';

/** A file's text, from its start. */
export const readFile: ServerTool = defineTool(z.object({ path: z.string() }), ({ path }) => ({
  allowNetwork: null,
  run: ({ lease: { sandbox }, limits }) =>
    orFailed(async () => {
      const place = await insideWorkspace(sandbox, path);
      const maxBytes = limits.fileChars * BYTES_OF_CHARACTER;
      const { bytes, fileSize } = await readHead(sandbox, place, maxBytes);
      const { text, isCut } = headOf(Buffer.from(bytes).toString('utf8'), limits.fileChars);
      const isTruncated = isCut || bytes.length < fileSize;
      return done(text, { path: place.shown, bytes: fileSize, truncated: isTruncated });
    }),
}));

/** Writes a file whole, with the folders above it. */
export const writeFile: ServerTool = defineTool(
  z.object({ path: z.string(), content: z.string() }),
  ({ path, content }) => ({
    allowNetwork: null,
    run: ({ lease: { sandbox } }) =>
      orFailed(async () => {
        const place = await insideWorkspace(sandbox, path);
        const written = await sandbox.files.write(place.path, content);
        if (!written.ok) return failed(`${path}: ${written.code}`, { code: written.code });
        const bytes = Buffer.byteLength(content);
        return done(`wrote ${bytes} bytes to ${place.shown}`, { path: place.shown, bytes });
      }),
  }),
);

/** What artifacts answer with a status is for a tool an answer. */
async function orFailed(work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return failed(error.message);
    throw error;
  }
}
