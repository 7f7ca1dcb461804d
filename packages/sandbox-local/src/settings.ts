import { existsSync } from 'node:fs';
import { checkSettingNames, type SandboxHostOptions, settingsError } from '@hermes/sandbox/host';
import { z } from 'zod';

const systemPath = z
  .string()
  .startsWith('/')
  .refine((path) => existsSync(path), {
    error: ({ input }) => `${input} does not exist on this machine`,
  });

const schema = z.object({
  isolation: z.enum(['auto', 'bubblewrap', 'none']).default('auto'),
  rootDir: z.string().min(1).optional(),
  systemPaths: z.array(systemPath).default([]),
  supervisor: z.enum(['auto', 'go', 'sh']).default('auto'),
  cgroupRoot: z.string().startsWith('/').default('/sys/fs/cgroup'),
  bubblewrapPath: z.string().min(1).default('bwrap'),
});

/** What a user may set for the provider `local`. */
export type LocalSandboxSettings = SandboxHostOptions &
  Readonly<{
    /** `auto` (default): bubblewrap where it works here, else none. A named isolation that does not work is refused. */
    isolation?: 'auto' | 'bubblewrap' | 'none';
    /** Further absolute host paths that a bubblewrap sandbox sees read-only, for example `/opt/tools`. Default: none. */
    systemPaths?: readonly string[];
    /** The program inside the sandbox: the Go program, or the slower `sh` script. Default `auto`: Go where there is a build of it. */
    supervisor?: 'auto' | 'go' | 'sh';
    /** Name or path of bubblewrap. Default `bwrap`. */
    bubblewrapPath?: string;
  }>;

/** Settings with every default filled in. */
export type ResolvedLocalSettings = Required<Omit<LocalSandboxSettings, 'rootDir'>> &
  Pick<LocalSandboxSettings, 'rootDir'>;

/** Checks raw settings strictly. Throws SandboxError CONFIG that names the key, and the nearest known one. */
export function parseLocalSettings(raw: unknown): ResolvedLocalSettings {
  const settings = checkSettingNames('local', raw, Object.keys(schema.shape));
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw settingsError('local', `setting '${issue?.path.join('.')}': ${issue?.message}`);
}
