import { configKeys } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import { envVariables, serverVariables } from '../sandboxes/terminal-variables.ts';
import { processFlagGroups } from '../training/process-flags.ts';
import { serveFlagGroups } from '../training/serve-flags.ts';
import { explainedOwnKeys } from './explained-own-keys.ts';
import { explainedProviderKeys } from './explained-provider-keys.ts';
import { longName } from './flag-spec.ts';
import type { KeyExplanation } from './key-explanation.ts';
import { runFlagGroups } from './run-flags.ts';

/** The keys of every environment, of providers, and of the environments that are known, or of the one that is named. */
export async function explainedKeys(
  environment: string | null,
  context: CliContext,
): Promise<readonly KeyExplanation[]> {
  const own = toldOnce(await explainedOwnKeys(environment, context));
  const ownPaths = new Set(own.map(({ path }) => path));
  const general = generalKeys().filter(
    ({ path, readers }) => readers.length > 0 || !ownPaths.has(path),
  );
  return [...general, ...explainedProviderKeys(), ...own];
}

/** Keys of several environments that mean the same are one, which all of them read. */
function toldOnce(keys: readonly KeyExplanation[]): readonly KeyExplanation[] {
  const told = new Map<string, KeyExplanation>();
  for (const key of keys) {
    const name = `${key.path}: ${key.meaning}`;
    const readers = [...(told.get(name)?.readers ?? []), ...key.readers];
    told.set(name, { ...key, flag: flagOf(key.path), readers });
  }
  return [...told.values()];
}

function generalKeys(): readonly KeyExplanation[] {
  return configKeys().map(({ section, key, ...rest }) => {
    const path = `${section}.${key}`;
    const variable =
      section === 'env'
        ? envVariables.find((one) => one.key === key)?.variable
        : key === 'api_key'
          ? 'OPENAI_API_KEY'
          : serverVariables[key];
    return {
      path,
      ...rest,
      example: `${key}: ${rest.example}`,
      flag: flagOf(path),
      variable: variable ?? null,
    };
  });
}

/** The short flag of a key; null: it has none. */
function flagOf(path: string): string | null {
  const groups = [...runFlagGroups, ...processFlagGroups, ...serveFlagGroups];
  const spec = groups.flatMap((group) => group.flags).find((one) => one.key === path);
  return spec === undefined ? null : longName(spec);
}
