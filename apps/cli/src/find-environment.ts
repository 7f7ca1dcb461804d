import type { EnvironmentDefinition } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { isPath, loadModule } from './load-module.ts';
import { unknownName } from './unknown-name.ts';

/** Finds an environment by its id, or in a module: `./file.js`, `package`, or `module#export` where there are several. */
export async function findEnvironment(
  name: string,
  known: readonly EnvironmentDefinition[],
  workingDirectory: string,
): Promise<EnvironmentDefinition> {
  const builtin = known.find((definition) => definition.id === name);
  if (builtin !== undefined) return builtin;
  const [specifier = '', wanted] = name.split('#');
  const module = await loadModule(specifier, workingDirectory);
  if (module === null) throw notFound(specifier, known);
  return pickDefinition(specifier, module, wanted);
}

function notFound(specifier: string, known: readonly EnvironmentDefinition[]): HermesError {
  const message = isPath(specifier)
    ? `no such file or folder: ${specifier}`
    : `${unknownName(
        'environment',
        specifier,
        known.map((definition) => definition.id),
      )}, or a package, or a path that starts with ./`;
  return new HermesError('config', 'CONFIG', message);
}

function pickDefinition(
  specifier: string,
  module: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
): EnvironmentDefinition {
  const found = Object.entries(module).filter(([, value]) => isDefinition(value));
  const chosen =
    wanted === undefined
      ? found.length === 1
        ? found[0]
        : undefined
      : found.find(([key]) => key === wanted);
  if (chosen !== undefined) return chosen[1] as EnvironmentDefinition;
  const names = found.map(([key]) => `${specifier}#${key}`).join(', ');
  const message =
    found.length === 0
      ? `${specifier} exports no environment (an object with id, version, config and open)`
      : `${specifier} exports several environments; name one: ${names}`;
  throw new HermesError('config', 'CONFIG', message);
}

function isDefinition(value: unknown): value is EnvironmentDefinition {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'version' in value &&
    'config' in value &&
    'open' in value
  );
}
