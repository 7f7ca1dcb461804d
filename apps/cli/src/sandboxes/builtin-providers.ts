import { HermesError } from '@hermes/protocol';
import type { CreateSandboxProvider } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import { dockerSpec, dockerSpecKeys, type SpecDefaults } from './docker-spec.ts';
import type { GivenKeys, ProviderKey, ValueKind } from './provider-keys.ts';

/** A provider that comes with the command. */
export interface BuiltinProvider {
  readonly name: string;
  readonly description: string;
  /** What its name means; other settings come from the user. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings that have a key in section `env` and a variable of their own. */
  readonly keys: readonly ProviderKey[];
  /** What else of the configuration concerns each of its sandboxes. */
  readonly spec?: Readonly<{
    keys: readonly ProviderKey[];
    read: (given: GivenKeys, context: CliContext) => SpecDefaults;
  }>;
  /** Its sandboxes are those of another provider of this list, which shows and reaps them. */
  readonly sharesSandboxes?: boolean;
  readonly load: () => Promise<{ readonly createSandboxProvider: CreateSandboxProvider }>;
}

const loadLocal: BuiltinProvider['load'] = () => import('@hermes/sandbox-local');

const localKeys: readonly ProviderKey[] = [
  { key: 'sandbox_dir', variable: 'TERMINAL_SANDBOX_DIR', setting: 'rootDir' },
];

/** The package takes them under the original's names. */
const slotPoolKeys: readonly ProviderKey[] = [
  ...original('text', { tool_pool_mode: 'TERMINAL_SLOT_BACKEND' }),
  ...original('number', {
    slots_per_container: 'TERMINAL_NOMAD_SLOTS',
    min_containers: 'TERMINAL_NOMAD_MIN',
    max_containers: 'TERMINAL_NOMAD_MAX',
    acquire_timeout_s: null,
    modal_slots_per_sandbox: 'TERMINAL_MODAL_SLOTS',
    modal_min_sandboxes: 'TERMINAL_MODAL_MIN',
    modal_max_sandboxes: 'TERMINAL_MODAL_MAX',
    modal_idle_timeout: 'TERMINAL_MODAL_IDLE_TIMEOUT',
    modal_max_lifetime: 'TERMINAL_MODAL_MAX_LIFETIME',
    modal_acquire_timeout: 'TERMINAL_MODAL_ACQUIRE_TIMEOUT',
    modal_execution_timeout: 'TERMINAL_MODAL_EXEC_TIMEOUT',
    modal_cpu: 'TERMINAL_MODAL_CPU',
    modal_memory: 'TERMINAL_MODAL_MEMORY',
  }),
  ...original('text', {
    sandbox_image: 'TERMINAL_NOMAD_IMAGE',
    driver: 'TERMINAL_NOMAD_DRIVER',
    nomad_address: 'TERMINAL_NOMAD_ADDRESS',
    sandbox_job_id: 'TERMINAL_NOMAD_JOB_ID',
    singularity_image: null,
    modal_app_name: 'TERMINAL_SLOT_APP_NAME',
    modal_image: null,
    modal_gpu: 'TERMINAL_MODAL_GPU',
    modal_workspace_base: 'TERMINAL_MODAL_WORKSPACE',
  }),
  ...original('flag', {
    allow_network: null,
    privileged: null,
    purge_job_on_start: null,
    purge_job_on_shutdown: null,
  }),
];

/** Any other name is a module: a package, or a path. */
export const builtinProviders: readonly BuiltinProvider[] = [
  {
    name: 'local',
    description:
      'this machine: bubblewrap where it works, else plain processes (trusted models only)',
    settings: {},
    keys: localKeys,
    load: loadLocal,
  },
  {
    name: 'bubblewrap',
    description: 'this machine, isolated by bubblewrap; refused where that does not work',
    settings: { isolation: 'bubblewrap' },
    keys: localKeys,
    sharesSandboxes: true,
    load: loadLocal,
  },
  {
    name: 'host',
    description: 'this machine as plain processes, without any isolation',
    settings: { isolation: 'none' },
    keys: localKeys,
    sharesSandboxes: true,
    load: loadLocal,
  },
  {
    name: 'docker',
    description: 'a container for each sandbox, on this machine’s Docker or that of DOCKER_HOST',
    settings: {},
    keys: [
      { key: 'docker_image', variable: 'TERMINAL_DOCKER_IMAGE', setting: 'image' },
      { key: 'docker_host', variable: 'DOCKER_HOST', setting: 'host' },
    ],
    spec: { keys: dockerSpecKeys, read: dockerSpec },
    load: () => import('@hermes/sandbox-docker').catch(missing('docker')),
  },
  {
    name: 'ssh',
    description: 'an account on another host, without isolation there: set TERMINAL_SSH_HOST',
    settings: {},
    keys: [
      { key: 'ssh_host', variable: 'TERMINAL_SSH_HOST', setting: 'host' },
      { key: 'ssh_user', variable: 'TERMINAL_SSH_USER', setting: 'user' },
      { key: 'ssh_port', variable: 'TERMINAL_SSH_PORT', setting: 'port', kind: 'number' },
      { key: 'ssh_key', variable: 'TERMINAL_SSH_KEY', setting: 'key' },
      {
        key: 'ssh_persistent',
        variable: 'TERMINAL_SSH_PERSISTENT',
        setting: 'persistent',
        kind: 'flag',
      },
      { key: 'ssh_passphrase', variable: 'TERMINAL_SSH_PASSPHRASE', setting: 'passphrase' },
      { key: 'ssh_password', variable: 'TERMINAL_SSH_PASSWORD', setting: 'password' },
      { key: 'ssh_jump', variable: 'TERMINAL_SSH_JUMP', setting: 'jump' },
      { key: 'ssh_known_hosts', variable: 'TERMINAL_SSH_KNOWN_HOSTS', setting: 'knownHosts' },
      { key: 'ssh_host_keys', variable: 'TERMINAL_SSH_HOST_KEYS', setting: 'hostKeys' },
    ],
    load: () => import('@hermes/sandbox-ssh').catch(missing('ssh')),
  },
  {
    name: 'slot-pool',
    description:
      'many sandboxes packed into each container or host of another provider; by default docker',
    settings: {},
    keys: slotPoolKeys,
    sharesSandboxes: true,
    load: () => import('@hermes/sandbox-slot-pool').catch(missing('slot-pool')),
  },
];

/** Backends that configurations name, and the packages that they come with. */
export const announcedProviders: Readonly<Record<string, string>> = {
  daytona: '@hermes/sandbox-daytona',
  modal: '@hermes/sandbox-modal',
  nomad: '@hermes/sandbox-nomad',
  singularity: '@hermes/sandbox-singularity',
};

/** The keys of section `env` that belong to one provider or another. */
export const providerKeyNames: readonly string[] = [
  ...new Set(
    builtinProviders
      .flatMap(({ keys, spec }) => [...keys, ...(spec?.keys ?? [])])
      .map(({ key }) => key),
  ),
];

/** A key of section `env` that belongs to a provider; null: it does not. */
export function findProviderKey(name: string): ProviderKey | null {
  const keys = builtinProviders.flatMap(({ keys, spec }) => [...keys, ...(spec?.keys ?? [])]);
  return keys.find(({ key }) => key === name) ?? null;
}

/** Under its own name, or as the original wrote it (`slot_pool`). */
export function findBuiltin(name: string): BuiltinProvider | null {
  const ours = name.replaceAll('_', '-');
  return builtinProviders.find((provider) => provider.name === ours) ?? null;
}

/** Settings that a package takes under the key itself; null: without a variable. */
function original(
  kind: ValueKind,
  variables: Readonly<Record<string, string | null>>,
): readonly ProviderKey[] {
  return Object.entries(variables).map(([key, variable]) => ({
    ...{ key, setting: key, kind },
    ...(variable === null ? {} : { variable }),
  }));
}

/** What the configuration says of every sandbox of this provider. */
export function specDefaults(name: string, given: GivenKeys, context: CliContext): SpecDefaults {
  return findBuiltin(name)?.spec?.read(given, context) ?? {};
}

/** A provider that is installed only by those who want it. */
function missing(name: string): (cause: unknown) => never {
  return (cause) => {
    if ((cause as NodeJS.ErrnoException | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const fix = `npm install @hermes/sandbox-${name}`;
    const message = `--sandbox ${name} needs the package @hermes/sandbox-${name}: ${fix}`;
    throw new HermesError('config', 'CONFIG', message, { cause, details: { fix } });
  };
}
