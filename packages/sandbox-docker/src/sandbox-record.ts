import type { SandboxInfo, SandboxRef } from '@hermes/sandbox';
import type Dockerode from 'dockerode';
import { z } from 'zod';

/** What a later process must know of a sandbox to attach to it; kept as a label of the container. */
export type SandboxRecord = Readonly<{
  image: string;
  digest: string | null;
  workdir: string;
  /** Null: the supervisor's own. */
  user: string | null;
  env: Readonly<Record<string, string>>;
  supervisor: 'go' | 'sh';
  architecture: string;
  /** What its own files may take; null: as much as anybody's. */
  maxDiskBytes: number | null;
  createdAtMs: number;
  expiresAtMs: number;
}>;

const recordSchema: z.ZodType<SandboxRecord> = z.strictObject({
  image: z.string(),
  digest: z.string().nullable(),
  workdir: z.string(),
  user: z.string().nullable(),
  env: z.record(z.string(), z.string()),
  supervisor: z.enum(['go', 'sh']),
  architecture: z.string(),
  maxDiskBytes: z.number().nullable(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
});

const RECORD_LABEL = 'hermes.docker';

/** The labels of a container with its record. */
export function withRecord(
  labels: Readonly<Record<string, string>>,
  record: SandboxRecord,
): Record<string, string> {
  return { ...labels, [RECORD_LABEL]: JSON.stringify(record) };
}

/** Null for a container that is not one of this provider's sandboxes. */
export function readRecord(labels: Readonly<Record<string, string>>): SandboxRecord | null {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(labels[RECORD_LABEL] ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // a label that somebody else wrote
  }
}

/** The name of a container as people know it comes with a slash. */
export function refOf(
  id: string,
  name: string,
  labels: Dockerode.ContainerInfo['Labels'],
): SandboxRef {
  const { [RECORD_LABEL]: _record, ...own } = labels;
  return { provider: 'docker', id, name: name.replace(/^\//, ''), labels: own };
}

export function infoOf(record: SandboxRecord): SandboxInfo {
  const { image, digest, workdir, user, createdAtMs, expiresAtMs } = record;
  return {
    ...{ provider: 'docker', image, imageDigest: digest, workdir, user: user ?? 'root' },
    ...{ isolation: 'container', createdAtMs, expiresAtMs, unmetLimits: [] },
  };
}
