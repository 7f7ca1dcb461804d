import { HermesError } from '@hermes/protocol';
import type { CreateSandboxProvider } from '@hermes/sandbox';
import type { ProviderKey } from './provider-keys.ts';

/** A provider that comes with the command. */
export interface BuiltinProvider {
  readonly name: string;
  readonly description: string;
  /** What its name means; other settings come from the user. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings that have a key in section `env` and a variable of their own. */
  readonly keys: readonly ProviderKey[];
  /** Its sandboxes are those of another provider of this list, which shows and reaps them. */
  readonly sharesSandboxes?: boolean;
  readonly load: () => Promise<{ readonly createSandboxProvider: CreateSandboxProvider }>;
}

const loadLocal: BuiltinProvider['load'] = () => import('@hermes/sandbox-local');

const localKeys: readonly ProviderKey[] = [
  { key: 'sandbox_dir', variable: 'TERMINAL_SANDBOX_DIR', setting: 'rootDir' },
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
];

/** The keys of section `env` that belong to one provider or another. */
export const providerKeyNames: readonly string[] = [
  ...new Set(builtinProviders.flatMap(({ keys }) => keys.map(({ key }) => key))),
];

/** Under its own name, or as the original wrote it (`slot_pool`). */
export function findBuiltin(name: string): BuiltinProvider | null {
  const ours = name.replaceAll('_', '-');
  return builtinProviders.find((provider) => provider.name === ours) ?? null;
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
