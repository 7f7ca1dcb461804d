import { type EnvironmentDefinition, explainOwnKeys, type OwnConfigKey } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import {
  type AnnouncedEnvironment,
  announcedEnvironments,
} from '../environments/announced-list.ts';
import { findOrAnnounced } from '../environments/find-environment.ts';
import { knownEnvironments } from '../environments/known-environments.ts';
import type { OwnKey } from '../environments/own-keys.ts';
import type { KeyExplanation } from './key-explanation.ts';

/** The keys that environments add: of the one that is named, or of all that are known. */
export async function explainedOwnKeys(
  environment: string | null,
  context: CliContext,
): Promise<readonly KeyExplanation[]> {
  const { definitions, announced } =
    environment === null ? await allKnown(context) : await oneOf(environment, context);
  return [
    ...definitions.flatMap(({ id, config }) =>
      explainOwnKeys(config).map(({ key, ...rest }) => ownKey(id, key, rest)),
    ),
    ...announced.flatMap(({ id, keys }) =>
      Object.entries(keys).map(([name, key]) => ownKey(id, name, key)),
    ),
  ];
}

type Known = Readonly<{
  definitions: readonly EnvironmentDefinition[];
  announced: readonly AnnouncedEnvironment[];
}>;

async function allKnown(context: CliContext): Promise<Known> {
  const definitions = await Promise.all(knownEnvironments(context).map((entry) => entry.load()));
  return { definitions, announced: announcedEnvironments };
}

async function oneOf(name: string, context: CliContext): Promise<Known> {
  const { definition, missing } = await findOrAnnounced(name, context);
  return missing === null
    ? { definitions: [definition], announced: [] }
    : { definitions: [], announced: [missing] };
}

function ownKey(id: string, name: string, key: OwnKey | Omit<OwnConfigKey, 'key'>): KeyExplanation {
  return {
    path: `env.${name}`,
    meaning: key.meaning ?? `a key of the environment ${id}`,
    type: key.type ?? 'as its environment says',
    default: key.default,
    example: `${name}: ...`,
    flag: null,
    variable: null,
    aliases: [],
    wrongNames: [],
    readers: [`environment ${id}`],
  };
}
