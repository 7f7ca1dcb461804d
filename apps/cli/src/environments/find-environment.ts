import type { EnvironmentDefinition } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import { isPath, loadModule, pathOf } from '../load-module.ts';
import { orModule, unknownName } from '../unknown-name.ts';
import {
  announcedDefinition,
  findAnnounced,
  installedDefinition,
  notInstalled,
} from './announced-environments.ts';
import { type AnnouncedEnvironment, announcedEnvironments } from './announced-list.ts';
import { currentName } from './environment-names.ts';
import { isDefinition } from './is-definition.ts';
import { type EnvironmentEntry, knownEnvironments } from './known-environments.ts';

/**
 * Finds an environment by its id or a name that it had before, or in a module: `./file.js`, `package`, or `module#export` where there are
 * several. Throws CONFIG with what there is, or with the package that is missing.
 */
export async function findEnvironment(
  name: string,
  context: EnvironmentSource,
): Promise<EnvironmentDefinition> {
  const { definition, missing } = await findOrAnnounced(name, context);
  if (missing !== null) throw notInstalled(missing);
  return definition;
}

/** Where environments come from. */
export type EnvironmentSource = Pick<CliContext, 'environments' | 'workingDirectory'>;

/** The same, also for an environment whose package is `missing`: its configuration can be read all the same. */
export async function findOrAnnounced(
  name: string,
  context: EnvironmentSource,
): Promise<Readonly<{ definition: EnvironmentDefinition; missing: AnnouncedEnvironment | null }>> {
  const known = knownEnvironments(context);
  const entryOf = (id: string) => known.find((candidate) => candidate.id === id);
  const entry = entryOf(name) ?? entryOf(currentName(name));
  if (entry !== undefined) return { definition: await entry.load(), missing: null };
  const announced = findAnnounced(currentName(name));
  if (announced === null) return { definition: await inModule(name, context), missing: null };
  const installed = await installedDefinition(announced, context.workingDirectory);
  if (installed !== null) return { definition: installed, missing: null };
  return { definition: announcedDefinition(announced), missing: announced };
}

async function inModule(name: string, context: EnvironmentSource): Promise<EnvironmentDefinition> {
  const { workingDirectory } = context;
  const [specifier = '', wanted] = name.split('#');
  const module = await loadModule(specifier, workingDirectory);
  if (module === null)
    throw await notFound(specifier, knownEnvironments(context), workingDirectory);
  return pickDefinition(specifier, module, wanted);
}

async function notFound(
  specifier: string,
  known: readonly EnvironmentEntry[],
  from: string,
): Promise<HermesError> {
  const ids = [...known, ...announcedEnvironments].map(({ id }) => id);
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
