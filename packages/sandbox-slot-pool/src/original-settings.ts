import { settingsError } from '@hermes/sandbox/host';

type Settings = Readonly<Record<string, unknown>>;

/** What a field of the original means here: parts of our settings, or null where it says nothing. */
type Translation = (value: unknown, name: string) => Settings | null;

const MIB = 1024 ** 2;

/** Fields of a pool of containers. */
const containerFields: Readonly<Record<string, Translation>> = {
  slots_per_container: number('slotsPerSandbox'),
  min_containers: number('minSandboxes'),
  max_containers: number('maxSandboxes'),
  acquire_timeout: number('acquireTimeoutMs', 1000),
  acquire_timeout_s: number('acquireTimeoutMs', 1000),
  image: innerText('image'),
  sandbox_image: innerText('image'),
  singularity_image: innerText('image'),
  nomad_address: innerText('address'),
  sandbox_job_id: innerText('jobId'),
  job_id: innerText('jobId'),
  driver: (value) => (value === null || value === 'docker' ? null : { innerProvider: value }),
};

/** Fields of a pool at Modal. */
const modalFields: Readonly<Record<string, Translation>> = {
  modal_slots_per_sandbox: number('slotsPerSandbox'),
  modal_min_sandboxes: number('minSandboxes'),
  modal_max_sandboxes: number('maxSandboxes'),
  modal_acquire_timeout: number('acquireTimeoutMs', 1000),
  modal_idle_timeout: number('idleMs', 1000),
  modal_max_lifetime: number('maxAgeMs', 1000),
  modal_workspace_base: (value) => ({ workdir: value }),
  modal_image: innerText('image'),
  modal_app_name: innerText('appName'),
  modal_cpu: (value, name) => ({ sandbox: { cpus: numberOf(value, name) } }),
  modal_memory: (value, name) => ({ sandbox: { memoryBytes: numberOf(value, name) * MIB } }),
  modal_gpu: (value) => (isText(value) ? { sandbox: { gpus: value } } : null),
};

/** Fields that mean the same wherever the pool lives. */
const commonFields: Readonly<Record<string, Translation>> = {
  tool_pool_mode: (value) => (value === 'default' ? null : { innerProvider: value }),
  allow_network: (value, name) => ({ network: flagOf(value, name) ? 'open' : 'none' }),
  purge_job_on_start: (value, name) => ({ reapOnStart: flagOf(value, name) }),
  purge_job_on_shutdown: (value, name) =>
    refuse(flagOf(value, name), name, 'a pool ends with its process'),
  privileged: (value, name) =>
    refuse(!flagOf(value, name), name, 'slots need no privileged container'),
  // A slot is isolated in any case, and every command brings its own limit of time.
  ...{ require_sandbox: () => null, modal_execution_timeout: () => null },
  // The end of a container is told by events, and growth is bounded by maxSandboxes alone.
  ...{ health_check_interval: () => null, scale_cooldown: () => null },
};

/** The names of the original that settings may have beside ours. */
export const originalNames: readonly string[] = Object.keys({
  ...containerFields,
  ...modalFields,
  ...commonFields,
});

/**
 * Settings in which the original's fields are said in our words; ours win. Those of Modal count only for a pool at Modal, the
 * others' only for other pools: the original's files have both. Throws CONFIG for what cannot be honoured.
 */
export function translateOriginal(settings: Settings): Settings {
  const given = Object.entries(settings).filter(([name]) => originalNames.includes(name));
  if (given.length === 0) return settings;
  const own = Object.fromEntries(
    Object.entries(settings).filter(([name]) => !originalNames.includes(name)),
  );
  const common = translateAll(given, commonFields);
  const provider = textOf(own.inner, 'provider') ?? common.innerProvider;
  const special = translateAll(given, provider === 'modal' ? modalFields : containerFields);
  const { innerProvider = 'docker', innerSettings = {}, ...said } = { ...special, ...common };
  const inner = { provider: provider ?? innerProvider, settings: innerSettings };
  return {
    ...said,
    inner,
    ...own,
    ...(own.inner === undefined ? {} : completeInner(own.inner, inner)),
  };
}

function translateAll(
  given: readonly (readonly [string, unknown])[],
  fields: Readonly<Record<string, Translation>>,
): Settings {
  let all: Settings = {};
  for (const [name, value] of given) {
    const said = fields[name]?.(value, name) ?? {};
    for (const [key, part] of Object.entries(said)) all = { ...all, [key]: merged(all[key], part) };
  }
  return all;
}

/** What fields say beside an inner provider that is given with settings of its own, which win. */
function completeInner(
  own: unknown,
  said: Readonly<{ provider: unknown; settings: unknown }>,
): Settings {
  if (!isObject(own)) return {};
  return {
    inner: { provider: said.provider, ...own, settings: merged(said.settings, own.settings ?? {}) },
  };
}

function merged(before: unknown, after: unknown): unknown {
  return isObject(before) && isObject(after) ? { ...before, ...after } : after;
}

function number(setting: string, factor = 1): Translation {
  return (value, name) => ({ [setting]: numberOf(value, name) * factor });
}

/** A text `None`, which the original made of what was not set, is none. */
function innerText(setting: string): Translation {
  return (value) => (isText(value) ? { innerSettings: { [setting]: value } } : null);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== 'None';
}

function numberOf(value: unknown, name: string): number {
  const result = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof result === 'number' && Number.isFinite(result)) return result;
  throw settingsError('slot-pool', `setting '${name}': ${JSON.stringify(value)} is no number`);
}

function flagOf(value: unknown, name: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false' || value === null) return false;
  throw settingsError(
    'slot-pool',
    `setting '${name}': ${JSON.stringify(value)} is neither true nor false`,
  );
}

function refuse(isFine: boolean, name: string, why: string): null {
  if (isFine) return null;
  throw settingsError('slot-pool', `setting '${name}' cannot be honoured: ${why}; leave it out`);
}

function textOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
