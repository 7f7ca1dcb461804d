import { z } from 'zod';
import { type Answer, ok } from '../http/answer.ts';
import type { Lease } from '../slots/lease.ts';
import type { ServerLimits } from '../types.ts';
import { insideWorkspace } from './inside-workspace.ts';
import { mimeType } from './mime-type.ts';
import { readHead } from './read-head.ts';

/** Body of `POST /artifacts/read`. */
export type ReadRequest = Readonly<{
  slot_id: string;
  path: string;
  encoding: 'text' | 'base64';
  max_bytes?: number | undefined;
  include_sha256: boolean;
}>;

export const readRequest: z.ZodType<ReadRequest> = z.object({
  slot_id: z.string(),
  path: z.string(),
  encoding: z.enum(['text', 'base64']).default('text'),
  max_bytes: z.number().int().positive().optional(),
  include_sha256: z.boolean().default(false),
});

/** A file of the workspace, from its start. */
export async function readArtifact(
  { sandbox }: Lease,
  request: ReadRequest,
  limits: ServerLimits,
): Promise<Answer> {
  const { path, encoding, max_bytes: wanted, include_sha256: withDigest } = request;
  const place = await insideWorkspace(sandbox, path);
  const maxBytes = Math.min(wanted ?? limits.artifactBytes, limits.artifactBytes);
  const { bytes, fileSize, sha256 } = await readHead(sandbox, place, maxBytes);
  return ok({
    success: true,
    content: Buffer.from(bytes).toString(encoding === 'text' ? 'utf8' : 'base64'),
    encoding,
    truncated: bytes.length < fileSize,
    bytes: bytes.length,
    file_size: fileSize,
    path: place.shown,
    mime: mimeType(path),
    ...(withDigest ? { sha256 } : {}),
  });
}
