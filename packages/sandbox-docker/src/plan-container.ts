import { createHash } from 'node:crypto';
import { SandboxError, type SandboxSpec, supervisorFiles } from '@hermes/sandbox';
import type { ContainerPlan } from './container-options.ts';
import type { ReadyImage } from './images.ts';
import { FALLBACK_PATH, programPath, STATE_DIR } from './places.ts';
import { type SandboxRecord, withRecord } from './sandbox-record.ts';
import type { ResolvedDockerSettings } from './settings.ts';

/** A workplace where the image names none. */
const WORKDIR = '/workspace';
/** The harness ends a sandbox at its lifetime, and then reads its usage for up to 5 s; the supervisor ends it later, should nobody be there. */
const LIFETIME_MARGIN_MS = 6000;

/** What a container is planned from. */
export type PlanParts = Readonly<{
  spec: SandboxSpec;
  image: ReadyImage;
  /** The supervisor's volume. */
  volume: string;
  settings: ResolvedDockerSettings;
  /** What the sandbox's own files may take, where the daemon has no quotas. */
  maxDiskBytes: number | null;
  nowMs: number;
}>;

/** The container for a spec, and what is kept of it for later. Throws CONFIG where no supervisor fits the image. */
export function planContainer(
  parts: PlanParts,
): Readonly<{ plan: ContainerPlan; record: SandboxRecord }> {
  const { spec, image, volume, settings, maxDiskBytes, nowMs } = parts;
  const workdir = absolute(spec.workdir, image.workdir ?? WORKDIR);
  const user = spec.user ?? image.user;
  const supervisor = chooseSupervisor(settings.supervisor, image);
  const { name, digest, env, architecture } = image;
  const record: SandboxRecord = {
    ...{ image: name, digest, workdir, user, env, supervisor, architecture, maxDiskBytes },
    ...{ createdAtMs: nowMs, expiresAtMs: nowMs + spec.lifetimeMs },
  };
  const labels = withRecord(spec.labels, record);
  const fixed = { name: containerName(spec), image, workdir, volume, settings };
  const command =
    supervisor === 'sh' ? scriptCommand(user) : programCommand(architecture, spec.lifetimeMs);
  return { plan: { ...fixed, ...command, spec: { ...spec, labels } }, record };
}

type Command = Pick<ContainerPlan, 'argv' | 'init' | 'user'>;

/** The program acts as any user. */
function programCommand(architecture: string, lifetimeMs: number): Command {
  const limit = String(Math.ceil(lifetimeMs) + LIFETIME_MARGIN_MS);
  const argv = [programPath(architecture), 'serve', '--state', STATE_DIR];
  const ends = ['--orphan-ms', limit, '--lifetime-ms', limit];
  return { argv: [...argv, ...ends], init: false, user: '0:0' };
}

/** The script acts only as its own user. It ends with its channel, which ends with us; init buries what it leaves. */
function scriptCommand(user: string | null): Command {
  const argv = ['sh', FALLBACK_PATH, 'serve', '--state', STATE_DIR];
  return { argv, init: true, user: user ?? '0:0' };
}

/** The program, unless the script is asked for or there is no build for the image's processor. */
function chooseSupervisor(
  wanted: ResolvedDockerSettings['supervisor'],
  { name, architecture }: ReadyImage,
): 'go' | 'sh' {
  const isBuilt = supervisorFiles().binary(architecture) !== null;
  if (wanted === 'go' && !isBuilt) {
    const message = `create a sandbox from ${name}: there is no supervisor for ${architecture}; set supervisor: 'sh'`;
    throw new SandboxError('CONFIG', 'request', message);
  }
  return isBuilt && wanted !== 'sh' ? 'go' : 'sh';
}

/** The same key gives the same name, and the daemon has no two of one name. */
function containerName({ labels, idempotencyKey }: SandboxSpec): string {
  const run =
    (labels['hermes.run'] ?? 'single').replace(/[^A-Za-z0-9]/g, '').slice(0, 8) || 'single';
  const key = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 12);
  return `hermes-${run}-${key}`;
}

function absolute(workdir: string | undefined, base: string): string {
  if (workdir === undefined) return base;
  return workdir.startsWith('/') ? workdir : `${base.replace(/\/$/, '')}/${workdir}`;
}
