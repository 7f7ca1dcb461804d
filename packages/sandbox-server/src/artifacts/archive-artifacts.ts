import { posix } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';
import { z } from 'zod';
import { type Answer, ok } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import type { Lease } from '../slots/lease.ts';
import type { ServerLimits } from '../types.ts';
import { insideWorkspace, type Place } from './inside-workspace.ts';
import { fileRefusal } from './read-head.ts';
import { walk } from './walk.ts';

/** Body of `POST /artifacts/archive`. */
export type ArchiveRequest = Readonly<{
  slot_id: string;
  path: string;
  format: 'tar.gz' | 'tgz';
  max_bytes?: number | undefined;
  max_entries?: number | undefined;
}>;

export const archiveRequest: z.ZodType<ArchiveRequest> = z.object({
  slot_id: z.string(),
  path: z.string().default('.'),
  format: z.enum(['tar.gz', 'tgz']).default('tar.gz'),
  max_bytes: z.number().int().positive().optional(),
  max_entries: z.number().int().positive().optional(),
});

const ARCHIVE_MS = 120_000;
/** What is packed may be larger than the archive; a sparse file of terabytes may not be packed at all. */
const UNPACKED_FACTOR = 20;

/** A file or folder of the workspace, packed inside the sandbox. Throws a Refusal (413) for what is too large. */
export async function archiveArtifacts(
  { sandbox }: Lease,
  request: ArchiveRequest,
  limits: ServerLimits,
): Promise<Answer> {
  const { path, format, max_bytes: wantedBytes, max_entries: wantedEntries } = request;
  const place = await insideWorkspace(sandbox, path);
  const maxBytes = Math.min(wantedBytes ?? limits.artifactBytes, limits.artifactBytes);
  const maxEntries = Math.min(wantedEntries ?? limits.entries, limits.entries);
  const entryCount = await count(sandbox, place, { maxBytes, maxEntries });
  const bytes = await pack(sandbox, place, maxBytes);
  return ok({
    success: true,
    content: Buffer.from(bytes).toString('base64'),
    encoding: 'base64',
    format,
    bytes: bytes.length,
    entry_count: entryCount,
  });
}

type Bounds = Readonly<{ maxBytes: number; maxEntries: number }>;

async function count(sandbox: Sandbox, place: Place, bounds: Bounds): Promise<number> {
  const stat = await sandbox.files.stat(place.path);
  if (!stat.ok) throw fileRefusal(stat.code, place.shown);
  let entries = 1;
  let size = stat.value.type === 'file' ? stat.value.size : 0;
  checkBounds(entries, size, bounds);
  if (stat.value.type !== 'directory') return entries;
  for await (const entry of walk(sandbox, place, true)) {
    entries += 1;
    if (entry.stat.type === 'file') size += entry.stat.size;
    checkBounds(entries, size, bounds);
  }
  return entries;
}

function checkBounds(entries: number, size: number, { maxBytes, maxEntries }: Bounds): void {
  if (entries > maxEntries) throw tooLarge(`more than ${maxEntries} entries`);
  const most = maxBytes * UNPACKED_FACTOR;
  if (size > most) throw tooLarge(`more than ${most} bytes before packing`);
}

async function pack(sandbox: Sandbox, place: Place, maxBytes: number): Promise<Uint8Array> {
  const { path, shown } = place;
  const [folder, name] = shown === '.' ? [path, '.'] : [posix.dirname(path), posix.basename(path)];
  const result = await sandbox.exec({
    command: { argv: ['tar', '-czf', '-', '-C', folder, `./${name}`] },
    timeoutMs: ARCHIVE_MS,
    output: { maxBytes, keep: 'head', killAtLimit: true },
  });
  if (result.status === 'output_limit_killed' || result.stdout.droppedBytes > 0)
    throw tooLarge(`more than ${maxBytes} bytes`);
  if (result.status === 'exited' && result.exitCode === 0) return result.stdout.bytes;
  const reason = result.status === 'not_started' ? result.message : result.stderr.text().trim();
  throw new Error(`tar ended with ${result.status}: ${reason}`);
}

function tooLarge(what: string): Refusal {
  return new Refusal(413, `the archive is too large: ${what}`);
}
