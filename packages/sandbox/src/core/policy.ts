import type { Capabilities, ImageSpec, ResourceLimits, SandboxSpec } from '../types.ts';
import { SandboxError } from '../types.ts';
import { unsupported } from './errors.ts';

type LimitName = Exclude<keyof ResourceLimits, 'enforce'>;

/**
 * Checks a spec before anything exists. Throws CONFIG for what makes no sense and UNSUPPORTED for what these
 * capabilities do not cover. Returns the limits that are not met, by name, which only `enforce: 'best_effort'` allows.
 */
export function checkPolicy(
  spec: SandboxSpec,
  capabilities: Capabilities,
  provider: string,
): readonly string[] {
  checkLifetime(spec);
  for (const [asked, covered] of demands(spec, capabilities))
    if (!covered) throw refused(provider, asked);
  const unmet = unmetLimits(spec.resources ?? {}, capabilities);
  const [first] = unmet;
  if (first !== undefined && spec.resources?.enforce !== 'best_effort')
    throw refused(provider, `resources.${first}`);
  return unmet;
}

/** The kinds of spec.image that a provider runs. */
export function imageKinds(capabilities: Capabilities): readonly ImageSpec['kind'][] {
  return capabilities.imageKinds ?? (capabilities.images === true ? ['ref', 'build'] : []);
}

/** The spec without the limits that are not met, so that no driver has to ask again. */
export function withoutLimits(spec: SandboxSpec, unmet: readonly string[]): SandboxSpec {
  if (spec.resources === undefined || unmet.length === 0) return spec;
  const kept = Object.entries(spec.resources).filter(([name]) => !unmet.includes(name));
  return { ...spec, resources: Object.fromEntries(kept) };
}

/** Those limits that `withoutLimits` leaves out. */
export function onlyLimits({ resources }: SandboxSpec, unmet: readonly string[]): ResourceLimits {
  const left = Object.entries(resources ?? {}).filter(([name]) => unmet.includes(name));
  return Object.fromEntries(left);
}

function checkLifetime({ lifetimeMs, idleMs }: SandboxSpec): void {
  if (!(lifetimeMs > 0) || !Number.isFinite(lifetimeMs))
    throw config(`spec.lifetimeMs: ${lifetimeMs} is no lifetime; give milliseconds above 0`);
  if (idleMs !== undefined && !(idleMs > 0))
    throw config(`spec.idleMs: ${idleMs} is no time; give milliseconds above 0`);
}

function* demands(
  spec: SandboxSpec,
  capabilities: Capabilities,
): Generator<readonly [asked: string, covered: boolean]> {
  const mode = spec.network?.mode;
  if (mode === 'none') yield ['network none', capabilities.networkNone];
  if (mode === 'allowlist') yield ['network allowlist', capabilities.networkAllowlist];
  if (spec.user !== undefined) yield [`user ${spec.user}`, coversUser(spec.user, capabilities)];
  if (spec.workdir?.startsWith('/') === true)
    yield [`workdir ${spec.workdir}`, capabilities.absolutePaths];
  if (spec.readonlyRoot === true) yield ['readonlyRoot', capabilities.readonlyRoot ?? false];
  if ((spec.mounts ?? []).length > 0) yield ['mounts', capabilities.mounts ?? false];
  if (spec.nesting === true) yield ['nesting', capabilities.nesting ?? false];
  if ((spec.ports ?? []).length > 0) yield ['ports', capabilities.ports];
  if (spec.image !== undefined)
    yield [
      `an image of kind ${spec.image.kind}`,
      imageKinds(capabilities).includes(spec.image.kind),
    ];
}

function coversUser(user: string, capabilities: Capabilities): boolean {
  const isRoot = user === 'root' || user === '0';
  return isRoot ? capabilities.root : capabilities.users;
}

function unmetLimits(resources: ResourceLimits, capabilities: Capabilities): LimitName[] {
  const { cpu, memory, disk, pids } = capabilities.resourceLimits;
  const covered: Readonly<Record<LimitName, boolean>> = {
    cpus: cpu,
    memoryBytes: memory,
    diskBytes: disk,
    pids,
    shmBytes: capabilities.shm ?? false,
    gpus: capabilities.gpu,
  };
  const names = Object.keys(covered) as LimitName[];
  return names.filter((name) => resources[name] !== undefined && !covered[name]);
}

function refused(provider: string, asked: string): SandboxError {
  return unsupported(`create a sandbox: provider ${provider} cannot give ${asked}`);
}

function config(message: string): SandboxError {
  return new SandboxError('CONFIG', 'request', message);
}
