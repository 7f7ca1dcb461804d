import { z } from 'zod';
import type { Answer } from '../http/answer.ts';
import { ok } from '../http/answer.ts';
import type { Lease } from '../slots/lease.ts';
import type { ServerLimits } from '../types.ts';
import { insideWorkspace } from './inside-workspace.ts';
import { walk } from './walk.ts';

/** Body of `POST /artifacts/list`. */
export type ListRequest = Readonly<{
  slot_id: string;
  path: string;
  recursive: boolean;
  max_entries?: number | undefined;
}>;

export const listRequest: z.ZodType<ListRequest> = z.object({
  slot_id: z.string(),
  path: z.string().default('.'),
  recursive: z.boolean().default(false),
  max_entries: z.number().int().positive().optional(),
});

/** What a folder of the workspace holds. */
export async function listArtifacts(
  { sandbox }: Lease,
  { path, recursive, max_entries: wanted }: ListRequest,
  limits: ServerLimits,
): Promise<Answer> {
  const place = await insideWorkspace(sandbox, path);
  const most = Math.min(wanted ?? limits.entries, limits.entries);
  const entries: object[] = [];
  for await (const { shown, stat } of walk(sandbox, place, recursive)) {
    if (entries.length === most) return ok({ success: true, entries, truncated: true });
    const { type, size, mtimeMs } = stat;
    entries.push({ path: shown, is_dir: type === 'directory', size, mtime: mtimeMs / 1000 });
  }
  return ok({ success: true, entries, truncated: false });
}
