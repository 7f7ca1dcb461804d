import type { EnvironmentDefinition } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { type EnvironmentEntry, knownEnvironments } from './known-environments.ts';
import { isPath, loadModule, pathOf } from './load-module.ts';
import { orModule, unknownName } from './unknown-name.ts';

/** Finds an environment by its id, or in a module: `./file.js`, `package`, or `module#export` where there are several. */
export async function findEnvironment(
  name: string,
  context: Pick<CliContext, 'environments' | 'workingDirectory'>,
): Promise<EnvironmentDefinition> {
  const { workingDirectory } = context;
  const known = knownEnvironments(context);
  const entry = known.find((candidate) => candidate.id === name);
  if (entry !== undefined) return entry.load();
  const [specifier = '', wanted] = name.split('#');
  const module = await loadModule(specifier, workingDirectory);
  if (module === null) throw await notFound(specifier, known, workingDirectory);
  return pickDefinition(specifier, module, wanted);
}

async function notFound(
  specifier: string,
  known: readonly EnvironmentEntry[],
  from: string,
): Promise<HermesError> {
  const ids = known.map((entry) => entry.id);
  const message = isPath(specifier)
    ? `no such file or folder: ${specifier}`
    : unknownName('environment', specifier, ids) +
      orModule('an environment', await pathOf(specifier, from));
  return new HermesError('config', 'CONFIG', message);
}

function pickDefinition(
  specifier: string,
  module: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
): EnvironmentDefinition {
  const found = Object.entries(module).filter(([, value]) => isDefinition(value));
  const [chosen, second] = wanted === undefined ? found : found.filter(([name]) => name === wanted);
  if (chosen !== undefined && second === undefined) return chosen[1] as EnvironmentDefinition;
  const names = found.map(([name]) => name);
  throw new HermesError('config', 'CONFIG', noChoice(specifier, names, wanted, module));
}

function noChoice(
  specifier: string,
  names: readonly string[],
  wanted: string | undefined,
  module: object,
): string {
  if (names.length === 0)
    return `${specifier} exports no environment (an object with id, version, config and open)`;
  if (wanted === undefined) {
    const choices = names.map((name) => `${specifier}#${name}`);
    return `${specifier} exports several environments; name one: ${choices.join(', ')}`;
  }
  const problem = wanted in module ? `'${wanted}' is no environment` : `has no export '${wanted}'`;
  return `${specifier}: ${problem}; there is: ${names.join(', ')}`;
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
