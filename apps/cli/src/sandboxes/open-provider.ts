import type { Effects, JsonObject } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { CreateSandboxProvider, SandboxProvider } from '@hermes/sandbox';
import { isPath, loadModule, pathOf } from '../load-module.ts';
import { orModule, unknownName } from '../unknown-name.ts';
import {
  announcedProviders,
  type BuiltinProvider,
  builtinProviders,
  findBuiltin,
} from './builtin-providers.ts';
import { type GivenKeys, settingsOf } from './provider-keys.ts';

/** What a provider is opened with beside its own settings. */
export interface OpenProviderOptions {
  readonly workingDirectory: string;
  readonly given: GivenKeys;
  readonly effects?: Partial<Effects>;
}

/** Opens a sandbox provider by name, package or path. The caller closes it. Throws CONFIG with what there is. */
export async function openProvider(
  name: string,
  settings: JsonObject | null,
  options: OpenProviderOptions,
): Promise<SandboxProvider> {
  const builtin = findBuiltin(name);
  const create =
    builtin === null
      ? await loadCreate(name, options)
      : (await builtin.load()).createSandboxProvider;
  const provider = await create(completeSettings(builtin, settings, options.given), {
    openProvider: (inner, innerSettings) =>
      openProvider(inner, (innerSettings ?? null) as JsonObject | null, options),
    ...(options.effects === undefined ? {} : { effects: options.effects }),
  });
  checkVersion(name, provider);
  return provider;
}

/** Throws CONFIG for a name that is none, or settings that are malformed, without opening anything. */
export async function checkProvider(
  name: string,
  settings: JsonObject | null,
  options: OpenProviderOptions,
): Promise<void> {
  const builtin = findBuiltin(name);
  if (builtin === null) await loadCreate(name, options);
  else completeSettings(builtin, settings, options.given);
}

/** The user's settings and what the name of a built-in provider means. A contradiction is refused. */
function completeSettings(
  builtin: BuiltinProvider | null,
  own: JsonObject | null,
  given: GivenKeys,
): unknown {
  if (builtin === null) return own ?? {};
  const settings = settingsOf(builtin.keys, own, given);
  for (const [key, value] of Object.entries(builtin.settings))
    if (settings[key] !== undefined && settings[key] !== value)
      throw new HermesError(
        'config',
        'CONFIG',
        `--sandbox ${builtin.name} means ${key} ${value}; for another say --sandbox local --env.sandbox.${key} ${settings[key]}`,
      );
  return { ...settings, ...builtin.settings };
}

async function loadCreate(
  name: string,
  options: OpenProviderOptions,
): Promise<CreateSandboxProvider> {
  const module = await loadModule(announcedProviders[name] ?? name, options.workingDirectory);
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
  const packageName = announcedProviders[name];
  if (packageName !== undefined) {
    const fix = `npm install ${packageName}`;
    const message = `--sandbox ${name} needs the package ${packageName}, which is not installed here: ${fix}; or choose another one (hermes providers)`;
    return new HermesError('config', 'CONFIG', message, { details: { fix } });
  }
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
