import { checkSettingNames, settingsError } from '@hermes/sandbox/host';
import { z } from 'zod';
import { originalNames, translateOriginal } from './original-settings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const count = z.number().int().positive();
const bytes = z.number().int().positive();
const milliseconds = z.number().positive();
const absolutePath = z.string().startsWith('/', 'give an absolute path');

const slotSchema = z.strictObject({
  cpus: z.number().positive().optional(),
  memoryBytes: bytes.optional(),
  diskBytes: bytes.default(2 * 1024 ** 3),
  shmBytes: bytes.default(64 * 1024 ** 2),
  pids: count.default(1024),
});

const sandboxSchema = z.strictObject({
  cpus: z.number().positive().optional(),
  memoryBytes: bytes.optional(),
  gpus: z.string().min(1).optional(),
});

const innerSchema = z.strictObject({
  provider: z.string().min(1),
  settings: z.unknown().default({}),
});

const schema = z.object({
  inner: innerSchema.default({ provider: 'docker', settings: {} }),
  slotsPerSandbox: count.max(500).default(10),
  minSandboxes: z.number().int().nonnegative().default(1),
  maxSandboxes: count.default(10),
  acquireTimeoutMs: milliseconds.default(10 * MINUTE_MS),
  startTimeoutMs: milliseconds.default(10 * MINUTE_MS),
  idleMs: milliseconds.default(2 * MINUTE_MS),
  maxLeases: count.default(1000),
  maxAgeMs: milliseconds.default(4 * HOUR_MS),
  maxQuarantined: count.default(3),
  images: z.boolean().default(false),
  reapOnStart: z.boolean().default(false),
  ids: z.enum(['own', 'shared']).default('own'),
  network: z.enum(['none', 'open']).default('none'),
  workdir: absolutePath.optional(),
  slot: slotSchema.default(slotSchema.parse({})),
  sandbox: sandboxSchema.default({}),
  show: z.array(absolutePath).optional(),
  hide: z.array(absolutePath).default([]),
});

/** The provider that the pool lives in. */
export type InnerProviderSettings = Readonly<{
  /** Its name, as `--sandbox` takes it. */
  provider: string;
  /** Its own settings. */
  settings?: unknown;
}>;

/** What each slot may use where a sandbox's spec says nothing. */
export type SlotLimits = Readonly<{
  cpus?: number;
  memoryBytes?: number;
  /** Everything that it writes; held in memory, as needed. Default 2 GiB. */
  diskBytes?: number;
  /** Default 64 MiB. */
  shmBytes?: number;
  /** Processes and threads, its supervisor's own among them. Default 1024. */
  pids?: number;
}>;

/** What a user may set for the provider `slot-pool`. */
export type SlotPoolSettings = Readonly<{
  /** Default: docker with its own defaults. */
  inner?: InnerProviderSettings;
  /** Default 10. */
  slotsPerSandbox?: number;
  /** So many of the inner provider's sandboxes are kept, used or not. Default 1. */
  minSandboxes?: number;
  /** Default 10. */
  maxSandboxes?: number;
  /** Longest wait for a free slot; then CAPACITY. Default 10 minutes. */
  acquireTimeoutMs?: number;
  /** Longest start of an inner sandbox, with the pull or build of its image. Default 10 minutes. */
  startTimeoutMs?: number;
  /** An inner sandbox without leases ends after so long. Default 2 minutes. */
  idleMs?: number;
  /** After so many leases an inner sandbox is replaced. Default 1000. */
  maxLeases?: number;
  /** At this age an inner sandbox is replaced. Default 4 hours. */
  maxAgeMs?: number;
  /** With so many slots that could not be proved clean an inner sandbox is replaced. Default 3. */
  maxQuarantined?: number;
  /** `spec.image` chooses the inner sandbox: those of one image share. Default false: all have the inner provider's own, and a spec with an image is refused. */
  images?: boolean;
  /** Inner sandboxes whose owners are dead are removed before the first is started. Default false. */
  reapOnStart?: boolean;
  /** `own` (default): the users of each slot are others outside than those of its neighbours. `shared`: they are the inner sandbox's own, for kernels before 6.5; namespaces and dropped rights are then all that keeps slots apart. */
  ids?: 'own' | 'shared';
  /** Of a sandbox whose spec says nothing. `open` is the network of the inner sandbox, shared with its neighbours. Default `none`. */
  network?: 'none' | 'open';
  /** Where commands start. Default: that of the inner sandbox where it is a container, else /workspace. */
  workdir?: string;
  slot?: SlotLimits;
  /** Limits of each inner sandbox as a whole. Default: none beside the inner provider's own. */
  sandbox?: Readonly<{
    cpus?: number | undefined;
    memoryBytes?: number | undefined;
    gpus?: string | undefined;
  }>;
  /** The only places of the inner sandbox that slots see. Default: all of a container, the system's folders of a host. */
  show?: readonly string[];
  /** Places that slots do not see. On a host its secrets are hidden in any case. */
  hide?: readonly string[];
}>;

/** Settings with every default filled in. */
export type ResolvedSettings = Required<Omit<SlotPoolSettings, Unset | 'inner' | 'slot'>> &
  Readonly<{ [Key in Unset]?: SlotPoolSettings[Key] | undefined }> &
  Readonly<{ inner: Required<InnerProviderSettings>; slot: ResolvedLimits }>;

/** What has no default of its own. */
type Unset = 'workdir' | 'show';
type ResolvedLimits = Readonly<{
  cpus?: number | undefined;
  memoryBytes?: number | undefined;
  diskBytes: number;
  shmBytes: number;
  pids: number;
}>;

/** Checks raw settings strictly. Throws SandboxError CONFIG that names the key, and the nearest known one. */
export function parseSlotPoolSettings(raw: unknown): ResolvedSettings {
  const names = [...Object.keys(schema.shape), ...originalNames];
  const given = checkSettingNames('slot-pool', raw, names);
  const parsed = schema.safeParse(translateOriginal(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw settingsError('slot-pool', `setting '${issue?.path.join('.')}': ${issue?.message}`);
  }
  const { minSandboxes, maxSandboxes } = parsed.data;
  if (minSandboxes > maxSandboxes)
    throw settingsError(
      'slot-pool',
      `setting 'minSandboxes': ${minSandboxes} is more than maxSandboxes, ${maxSandboxes}`,
    );
  return parsed.data;
}
