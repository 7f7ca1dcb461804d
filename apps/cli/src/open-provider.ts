import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { CreateSandboxProvider, SandboxProvider } from '@hermes/sandbox';
import { isPath, loadModule, pathOf } from './load-module.ts';
import { orModule, unknownName } from './unknown-name.ts';

interface BuiltinProvider {
  readonly name: string;
  readonly description: string;
  /** What its name means; other settings come from the user. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly load: () => Promise<{ readonly createSandboxProvider: CreateSandboxProvider }>;
}

const loadLocal: BuiltinProvider['load'] = () => import('@hermes/sandbox-local');

/** Providers that come with the command. Any other name is a module: a package, or a path. */
export const builtinProviders: readonly BuiltinProvider[] = [
  {
    name: 'local',
    description:
      'this machine: bubblewrap where it works, else plain processes (trusted models only)',
    settings: {},
    load: loadLocal,
  },
  {
    name: 'bubblewrap',
    description: 'this machine, isolated by bubblewrap; refused where that does not work',
    settings: { isolation: 'bubblewrap' },
    load: loadLocal,
  },
  {
    name: 'host',
    description: 'this machine as plain processes, without any isolation',
    settings: { isolation: 'none' },
    load: loadLocal,
  },
  {
    name: 'docker',
    description: 'a container for each sandbox, on this machine’s Docker or that of DOCKER_HOST',
    settings: {},
    load: () => import('@hermes/sandbox-docker').catch(missing('docker')),
  },
  {
    name: 'ssh',
    description: 'an account on another host, without isolation there: set TERMINAL_SSH_HOST',
    settings: {},
    load: () => import('@hermes/sandbox-ssh').catch(missing('ssh')),
  },
];

/** A provider that is installed only by those who want it. */
function missing(name: string): (cause: unknown) => never {
  return (cause) => {
    if ((cause as NodeJS.ErrnoException | null)?.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message = `--sandbox ${name} needs the package @hermes/sandbox-${name}: npm install @hermes/sandbox-${name}`;
    throw new HermesError('config', 'CONFIG', message, { cause });
  };
}

export interface OpenProviderOptions {
  readonly workingDirectory: string;
  readonly effects?: Partial<Effects>;
}

/** Opens a sandbox provider by name, package or path. The caller closes it. Throws CONFIG with what there is. */
export async function openProvider(
  name: string,
  settings: unknown,
  options: OpenProviderOptions,
): Promise<SandboxProvider> {
  const builtin = builtinProviders.find(
    (candidate) => candidate.name === name.replaceAll('_', '-'),
  );
  const create =
    builtin === undefined
      ? await loadCreate(name, options)
      : (await builtin.load()).createSandboxProvider;
  const provider = await create(withMeaning(builtin, settings), {
    openProvider: (inner, innerSettings) => openProvider(inner, innerSettings, options),
    ...(options.effects === undefined ? {} : { effects: options.effects }),
  });
  checkVersion(name, provider);
  return provider;
}

/** The user's settings and what the name of a built-in provider means. A contradiction is refused. */
function withMeaning(builtin: BuiltinProvider | undefined, settings: unknown): unknown {
  if (builtin === undefined) return settings ?? {};
  const given = (settings ?? {}) as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(builtin.settings))
    if (given[key] !== undefined && given[key] !== value)
      throw new HermesError(
        'config',
        'CONFIG',
        `--sandbox ${builtin.name} means ${key} ${value}; for another say --sandbox local --env.sandbox.${key} ${given[key]}`,
      );
  return { ...given, ...builtin.settings };
}

async function loadCreate(
  name: string,
  options: OpenProviderOptions,
): Promise<CreateSandboxProvider> {
  const module = await loadModule(name, options.workingDirectory);
  if (module === null) throw await notFound(name, options.workingDirectory);
  const create = module.createSandboxProvider;
  if (typeof create !== 'function') {
    throw new HermesError(
      'config',
      'CONFIG',
      `--sandbox ${name}: the module exports no createSandboxProvider function`,
    );
  }
  return create as CreateSandboxProvider;
}

async function notFound(name: string, from: string): Promise<HermesError> {
  const known = builtinProviders.map((provider) => provider.name);
  const message = isPath(name)
    ? `--sandbox ${name}: no such file or folder`
    : unknownName('sandbox provider', name, known) +
      orModule('createSandboxProvider', await pathOf(name, from));
  return new HermesError('config', 'CONFIG', message);
}

function checkVersion(name: string, provider: SandboxProvider): void {
  const version: string = provider.specificationVersion;
  if (version === 'v1') return;
  throw new HermesError(
    'config',
    'CONFIG',
    `--sandbox ${name}: it implements specification ${version}, this hermes knows v1`,
  );
}
