import { createHash } from 'node:crypto';
import type { SandboxInfo, SandboxRef, SandboxSpec } from '@hermes/sandbox';
import { planCgroup, type SandboxCgroup, unsupported } from '@hermes/sandbox/host';
import { z } from 'zod';
import type { RemoteHost } from './remote-host.ts';

/** What a later process must know of a sandbox, kept beside its folder on the host. */
export type SandboxRecord = Readonly<{
  ref: SandboxRef;
  /** Below the sandbox's folder. */
  workdir: string;
  /** Who runs commands; null: the account. */
  user: string | null;
  account: string;
  /** Name of the supervisor's file. */
  program: string;
  ports: readonly number[];
  /** Null where the account may make none. */
  cgroup: SandboxCgroup | null;
  createdAtMs: number;
  expiresAtMs: number;
}>;

const cgroupSchema = z.strictObject({
  version: z.union([z.literal(1), z.literal(2)]),
  folders: z.partialRecord(z.enum(['memory', 'cpu', 'cpuacct', 'pids']), z.string()),
});

const recordSchema: z.ZodType<SandboxRecord> = z.strictObject({
  ref: z.strictObject({
    provider: z.literal('ssh'),
    id: z.string(),
    name: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
  }),
  workdir: z.string(),
  user: z.string().nullable(),
  account: z.string(),
  program: z.string(),
  ports: z.array(z.number()),
  cgroup: cgroupSchema.nullable(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
});

const ID = /^hermes-[0-9a-f]{24}$/;

/** Whether an id is one of ours, so that no ref can point elsewhere on the host. */
export function isSandboxId(id: string): boolean {
  return ID.test(id);
}

/** The record of a sandbox to be made. On one host the same key always gives the same id. Throws UNSUPPORTED for a workdir outside. */
export function planRecord(spec: SandboxSpec, host: RemoteHost, nowMs: number): SandboxRecord {
  const digest = createHash('sha256')
    .update(`${host.rootDir}\0${spec.idempotencyKey}`)
    .digest('hex');
  const id = `hermes-${digest.slice(0, 24)}`;
  return {
    ref: { provider: 'ssh', id, name: id, labels: spec.labels },
    workdir: relativeWorkdir(spec),
    user: spec.user ?? null,
    account: host.account,
    program: host.program,
    ports: spec.ports ?? [],
    cgroup: host.cgroups === null ? null : planCgroup(host.cgroups, id),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + spec.lifetimeMs,
  };
}

/** Null for what is no record of ours. */
export function parseRecord(line: string): SandboxRecord | null {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(line));
    return parsed.success && isSandboxId(parsed.data.ref.id) ? parsed.data : null;
  } catch {
    return null; // half a line of a host whose disk was full
  }
}

export function infoOf(record: SandboxRecord, folder: string): SandboxInfo {
  const { createdAtMs, expiresAtMs, workdir, user, account } = record;
  return {
    ...{ provider: 'ssh', image: null, imageDigest: null, workdir: `${folder}/${workdir}` },
    ...{ user: user ?? account, isolation: 'none', createdAtMs, expiresAtMs, unmetLimits: [] },
  };
}

/** As for plain processes here, but of a host whose paths are always POSIX. */
function relativeWorkdir({ workdir = '.' }: Pick<SandboxSpec, 'workdir'>): string {
  const parts = workdir.split('/').filter((part) => part !== '' && part !== '.');
  if (!workdir.startsWith('/') && !parts.includes('..')) return ['workspace', ...parts].join('/');
  throw unsupported(
    `create a sandbox: workdir ${workdir} must be relative and without '..' over ssh: absolute places are the host's own`,
  );
}
