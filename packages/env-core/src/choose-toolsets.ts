import type { Random, Toolset } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import {
  resolveToolsets,
  type ToolResources,
  type ToolsetCatalog,
  type ToolsetChoice,
} from '@hermes/tools';
import type { EnvSettings } from './config/sections.ts';
import type { RunOptions } from './run-options.ts';

/** What a configuration says of toolsets. */
export type ToolsetSettings = Pick<
  EnvSettings,
  'enabledToolsets' | 'disabledToolsets' | 'distribution'
>;

/** Where toolsets come from. */
export type ToolsetSources = Readonly<{
  /** The environment's own; they are meant where the configuration names none. */
  environment: readonly Toolset<ToolResources>[];
  /** Others that may be named. */
  provided?: readonly Toolset<ToolResources>[];
  /** Names that stand for others. */
  includes?: Readonly<Record<string, readonly string[]>>;
  /** Loads the module of a toolset that is named by a path (`./tools.js`) or a package (`@scope/name`, `npm:name`). Absent: none can be. */
  load?: (specifier: string) => Promise<unknown>;
}>;

/** toolsets: for the options of a run, absent where the configuration says nothing. warnings: one sentence each. */
export type ChosenToolsets = Readonly<{
  options: Pick<RunOptions<unknown>, 'toolsets'>;
  warnings: readonly string[];
}>;

/**
 * What a configuration makes of the toolsets. A distribution is drawn once a group, with numbers that
 * depend on the run's seed and the group alone; the record says what was drawn. Throws CONFIG for an
 * unknown name with the nearest one, and for a module that brings no toolsets.
 */
export async function chooseToolsets(
  settings: ToolsetSettings,
  sources: ToolsetSources,
  random: Random,
): Promise<ChosenToolsets> {
  const choice = choiceOf(settings, sources);
  if (choice === null) return { options: {}, warnings: [] };
  const catalog = await openCatalog(settings, sources);
  const { warnings } = resolveToolsets(catalog, choice, random.fork('toolset warnings'));
  return {
    options: { toolsets: (group) => resolveToolsets(catalog, choice, group.random).toolsets },
    warnings,
  };
}

function choiceOf(
  { enabledToolsets, disabledToolsets, distribution }: ToolsetSettings,
  { environment }: ToolsetSources,
): ToolsetChoice | null {
  const disabled = disabledToolsets === null ? {} : { disabled: disabledToolsets };
  if (distribution !== null) return { distribution, ...disabled };
  if (enabledToolsets !== null) return { enabled: enabledToolsets, ...disabled };
  const own = environment.map(({ name }) => name);
  return disabledToolsets === null ? null : { enabled: own, ...disabled };
}

/** The name of a module stands for all toolsets in it, as an include. */
async function openCatalog(
  { enabledToolsets }: ToolsetSettings,
  { environment, provided = [], includes = {}, load }: ToolsetSources,
): Promise<ToolsetCatalog> {
  const toolsets = new Map([...provided, ...environment].map((toolset) => [toolset.name, toolset]));
  const modules: Record<string, readonly string[]> = {};
  for (const specifier of (enabledToolsets ?? []).filter(isModule)) {
    const brought = await loadToolsets(specifier, load);
    modules[specifier] = brought.map(({ name }) => name);
    for (const toolset of brought) {
      if (toolsets.has(toolset.name)) throw taken(specifier, toolset.name);
      toolsets.set(toolset.name, toolset);
    }
  }
  return { toolsets, includes: { ...includes, ...modules } };
}

function isModule(name: string): boolean {
  return /^(\.{0,2}\/|@[^/]+\/|npm:)/.test(name);
}

/** A module exports `toolsets`, a list, or `createToolsets`, a function that returns one. */
async function loadToolsets(
  specifier: string,
  load: ToolsetSources['load'],
): Promise<readonly Toolset<ToolResources>[]> {
  if (load === undefined) throw config(`The toolset module ${specifier} cannot be loaded here`);
  const module = (await load(specifier.replace(/^npm:/, ''))) as Readonly<Record<string, unknown>>;
  const { createToolsets, toolsets } = module;
  const brought = typeof createToolsets === 'function' ? await createToolsets() : toolsets;
  if (Array.isArray(brought) && brought.length > 0 && brought.every(isToolset)) return brought;
  throw config(
    `${specifier} brings no toolsets: it must export a list \`toolsets\`, or a function \`createToolsets\` that returns one, of objects with name, toolNames and open`,
  );
}

function isToolset(value: unknown): value is Toolset<ToolResources> {
  if (typeof value !== 'object' || value === null) return false;
  const { name, toolNames, open } = value as Partial<Toolset<ToolResources>>;
  return typeof name === 'string' && Array.isArray(toolNames) && typeof open === 'function';
}

function taken(specifier: string, name: string): HermesError {
  return config(`${specifier} brings a toolset ${name}, and there is one of that name already`);
}

function config(message: string): HermesError {
  return new HermesError('config', 'CONFIG', message);
}
