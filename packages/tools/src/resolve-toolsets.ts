import type { Random } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import { sampleDistribution } from './_sample-distribution.ts';
import { isKnownToolset, STANDARD_INCLUDES, SUGGESTED_TOOLSETS } from './_toolset-names.ts';
import type { ResolvedToolsets, ToolsetCatalog, ToolsetChoice } from './types.ts';

const EVERYTHING: ReadonlySet<string> = new Set(['all', '*']);

/**
 * The toolsets that a choice means, in the catalog's order. Includes are followed through cycles.
 * `disabled` comes last: a toolset's own name takes it away in any case; a composite's takes away
 * only what no other chosen name brings. Throws CONFIG for a name that nobody knows.
 */
export function resolveToolsets(
  catalog: ToolsetCatalog,
  choice: ToolsetChoice,
  random: Random,
): ResolvedToolsets {
  const names = createNames(catalog);
  const drawn =
    'distribution' in choice ? draw(choice.distribution, catalog, random) : NOTHING_DRAWN;
  const chosen = 'enabled' in choice ? choice.enabled : 'all' in choice ? ['all'] : drawn.sampled;
  const disabled = (choice.disabled ?? []).map(names.check);
  const paths = chosen.map(names.check).flatMap((name) => names.pathsFrom(name));
  const left = paths.filter((path) => !disabled.some((name) => names.takesAway(name, path)));
  const kept = new Set(left.map((path) => path.at(-1)));
  const toolsets = [...catalog.toolsets].filter(([name]) => kept.has(name)).map(([, set]) => set);
  const missing = [...kept, ...drawn.skipped].filter((name) => !catalog.toolsets.has(name ?? ''));
  return { toolsets, sampled: drawn.sampled, warnings: warningsFor(missing, toolsets.length) };
}

/** A way from a chosen name to a toolset, both included. */
type Path = readonly string[];
type Names = Readonly<{
  check: (name: string) => string;
  pathsFrom: (name: string) => readonly Path[];
  takesAway: (disabled: string, path: Path) => boolean;
}>;

function createNames({ toolsets, includes }: ToolsetCatalog): Names {
  const composites = new Map(Object.entries({ ...STANDARD_INCLUDES, ...includes }));
  const known = new Set([
    ...toolsets.keys(),
    ...composites.keys(),
    ...SUGGESTED_TOOLSETS,
    ...EVERYTHING,
  ]);
  const isToolset = (name: string): boolean => toolsets.has(name) || !composites.has(name);

  const check = (name: string): string => {
    if (!known.has(name) && !isKnownToolset(name))
      throw ownerOf(name, toolsets) ?? unknownName('toolset', name, known);
    const members = composites.get(name) ?? [];
    const [only] = members;
    return !toolsets.has(name) && only !== undefined && members.length === 1 ? only : name;
  };
  const pathsFrom = (name: string, before: Path = []): readonly Path[] => {
    if (before.includes(name)) return [];
    const path = [...before, name];
    if (EVERYTHING.has(name)) return [...toolsets.keys()].map((member) => [...path, member]);
    if (isToolset(name)) return [path];
    return (composites.get(name) ?? []).map(check).flatMap((member) => pathsFrom(member, path));
  };
  const takesAway = (disabled: string, path: Path): boolean => {
    if (path.includes(disabled) || EVERYTHING.has(disabled)) return true;
    const cameWithAll = EVERYTHING.has(path[0] ?? '');
    return cameWithAll && pathsFrom(disabled).some((other) => other.at(-1) === path.at(-1));
  };
  return { check, pathsFrom: (name) => pathsFrom(name), takesAway };
}

const NOTHING_DRAWN = { sampled: [], skipped: [] };

function draw(
  name: string,
  catalog: ToolsetCatalog,
  random: Random,
): ReturnType<typeof sampleDistribution> {
  return sampleDistribution(name, (toolset) => catalog.toolsets.has(toolset), random, unknownName);
}

/** Says to which toolset a tool belongs that was taken for one; null: it is no tool. */
function ownerOf(name: string, toolsets: ToolsetCatalog['toolsets']): HermesError | null {
  const owner = [...toolsets.values()].find((toolset) => toolset.toolNames.includes(name));
  if (owner === undefined) return null;
  const message = `"${name}" is a tool of the toolset ${owner.name}: name the toolset`;
  return new HermesError('config', 'CONFIG', message, { details: { name, nearest: owner.name } });
}

function unknownName(kind: string, name: string, known: Iterable<string>): HermesError {
  const names = [...known].sort();
  const nearest = nearestName(name, names);
  const guess = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  const message = `Unknown ${kind} "${name}".${guess} Known: ${names.join(', ')}`;
  return new HermesError('config', 'CONFIG', message, { details: { name, nearest } });
}

function warningsFor(missing: readonly (string | undefined)[], count: number): readonly string[] {
  const names = [...new Set(missing)].join(', ');
  const warnings = names === '' ? [] : [`These toolsets are known but not provided here: ${names}`];
  return count > 0 ? warnings : [...warnings, 'The rollout has no tools: no toolset is left'];
}
