import { checkSettingNames, settingsError } from '@hermes/sandbox/host';
import { z } from 'zod';
import { IMAGE_NAME } from './image-reference.ts';

/** What programs of common images need: Docker's own set without raw sockets, device nodes and the audit log. */
const CAPABILITIES = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'SETFCAP'],
  ...['NET_BIND_SERVICE', 'SYS_CHROOT'],
];

const GIB = 2 ** 30;

const schema = z.object({
  image: z.string().regex(IMAGE_NAME, 'give [HOST/]NAME[:TAG]').optional(),
  host: z
    .string()
    .regex(/^(unix|tcp|http|https|ssh):\/\/./, 'give unix:///PATH, tcp://HOST:PORT or ssh://HOST')
    .optional(),
  certPath: z.string().min(1).optional(),
  network: z.string().min(1).default('bridge'),
  capAdd: z
    .array(z.string().regex(/^[A-Z_]+$/, 'give names such as NET_RAW'))
    .default(CAPABILITIES),
  noNewPrivileges: z.boolean().default(true),
  pids: z.number().int().positive().default(4096),
  maxDiskBytes: z
    .number()
    .positive()
    .default(50 * GIB),
  minFreeBytes: z
    .number()
    .nonnegative()
    .default(2 * GIB),
  diskQuota: z.boolean().default(false),
  gpus: z.boolean().default(false),
  runtime: z.string().min(1).optional(),
  registryAuth: z
    .strictObject({ username: z.string(), password: z.string(), serveraddress: z.string() })
    .optional(),
  pullTimeoutMs: z.number().positive().default(1_800_000),
  buildTimeoutMs: z.number().positive().default(1_800_000),
  supervisor: z.enum(['auto', 'go', 'sh']).default('auto'),
});

/** What a user may set for the provider `docker`. */
export type DockerSandboxSettings = Readonly<{
  /** Where a sandbox's spec names no image, and as build argument BASE of Dockerfiles that declare it. Default: TERMINAL_DOCKER_IMAGE; without either such sandboxes are refused. */
  image?: string;
  /** The daemon: `unix:///PATH`, `tcp://HOST:PORT` or `ssh://USER@HOST`. Default: DOCKER_HOST, else `unix:///var/run/docker.sock`. */
  host?: string;
  /** Folder with ca.pem, cert.pem and key.pem for TLS. Default: DOCKER_CERT_PATH while DOCKER_TLS_VERIFY is set. */
  certPath?: string;
  /** The one Docker network that all sandboxes with an open network share. Default `bridge`. */
  network?: string;
  /** The only Linux capabilities that a container keeps. Default: those that package managers and servers need. */
  capAdd?: readonly string[];
  /** Programs cannot gain rights by setuid files (sudo). Default true. */
  noNewPrivileges?: boolean;
  /** Limit of processes and threads where the spec has none. Default 4096. */
  pids?: number;
  /** A sandbox whose own files take more is ended as `evicted`, within seconds. Default 50 GiB. */
  maxDiskBytes?: number;
  /** While the daemon's disk has less room, no sandbox is made (CAPACITY); below half of it the largest is ended as `evicted`. Default 2 GiB; 0: never. Only with a daemon on this machine. */
  minFreeBytes?: number;
  /** The daemon's storage has quotas (overlay2 on xfs with pquota): `resources.diskBytes` is enforced. Default false: it is refused. */
  diskQuota?: boolean;
  /** The daemon can give NVIDIA GPUs. Default false: a spec that asks for one is refused. */
  gpus?: boolean;
  /** Another runtime of the daemon, such as `runsc`. */
  runtime?: string;
  /** Account at a registry, for pulls. */
  registryAuth?: Readonly<{ username: string; password: string; serveraddress: string }>;
  /** Longest pull of one image. Default 30 minutes. */
  pullTimeoutMs?: number;
  /** Longest build of one image, where the spec has no limit. Default 30 minutes. */
  buildTimeoutMs?: number;
  /** The program inside the sandbox: the Go program, or the slower `sh` script. Default `auto`: Go where there is a build for the image's processor. */
  supervisor?: 'auto' | 'go' | 'sh';
}>;

/** Settings with every default filled in. */
export type ResolvedDockerSettings = Required<Omit<DockerSandboxSettings, Unset>> &
  Readonly<{ [Key in Unset]?: DockerSandboxSettings[Key] | undefined }>;

/** What has no default of its own. */
type Unset = 'image' | 'certPath' | 'runtime' | 'registryAuth';

type Variables = Readonly<Record<string, string | undefined>>;

/** Checks raw settings strictly and fills in what the environment says. Throws SandboxError CONFIG that names the key. */
export function parseDockerSettings(
  raw: unknown,
  env: Variables = process.env,
): ResolvedDockerSettings {
  const given = checkSettingNames('docker', raw, Object.keys(schema.shape));
  const parsed = schema.safeParse({ ...fromEnvironment(env), ...given });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw settingsError('docker', `setting '${issue?.path.join('.')}': ${issue?.message}`);
  }
  return { ...parsed.data, host: parsed.data.host ?? 'unix:///var/run/docker.sock' };
}

function fromEnvironment(env: Variables): Record<string, string> {
  const certPath = env.DOCKER_TLS_VERIFY ? env.DOCKER_CERT_PATH : undefined;
  const values = { image: env.TERMINAL_DOCKER_IMAGE, host: env.DOCKER_HOST, certPath };
  const set = Object.entries(values).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  return Object.fromEntries(set);
}
