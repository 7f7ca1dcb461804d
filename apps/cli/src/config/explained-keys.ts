import { configKeys, explainOwnKeys, type OwnConfigKey } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import { announcedEnvironments } from '../environments/announced-list.ts';
import { findOrAnnounced } from '../environments/find-environment.ts';
import { knownEnvironments } from '../environments/known-environments.ts';
import type { OwnKey } from '../environments/own-keys.ts';
import { builtinProviders } from '../sandboxes/builtin-providers.ts';
import { envVariables, serverVariables } from '../sandboxes/terminal-variables.ts';
import { processFlagGroups } from '../training/process-flags.ts';
import { serveFlagGroups } from '../training/serve-flags.ts';
import { longName } from './flag-spec.ts';
import { runFlagGroups } from './run-flags.ts';

/** Everything that there is to know of one key. */
export type KeyExplanation = Readonly<{
  path: string;
  meaning: string;
  type: string;
  default: unknown;
  /** As it is written in a file. */
  example: string;
  /** Its short flag beside `--PATH`; null: none. */
  flag: string | null;
  variable: string | null;
  aliases: readonly string[];
  /** Names that are refused with this one. */
  notNames: readonly string[];
  /** Commands, providers or environments; none: it has no effect. */
  readers: readonly string[];
}>;

/** The keys of every environment, of providers, and of the environments that are known, or of the one that is named. */
export async function explainedKeys(
  environment: string | null,
  context: CliContext,
): Promise<readonly KeyExplanation[]> {
  return [...generalKeys(), ...providerKeys(), ...(await ownKeys(environment, context))];
}

function generalKeys(): readonly KeyExplanation[] {
  const flags = [...runFlagGroups, ...processFlagGroups, ...serveFlagGroups].flatMap(
    (group) => group.flags,
  );
  return configKeys().map(({ section, key, ...rest }) => {
    const path = `${section}.${key}`;
    const spec = flags.find((one) => one.key === path);
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
      flag: spec === undefined ? null : longName(spec),
      variable: variable ?? null,
    };
  });
}

const VALUE_TYPES = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  list: 'a list of texts',
};

/** local, bubblewrap and host have the same keys. */
function providerKeys(): readonly KeyExplanation[] {
  const names = new Set(builtinProviders.flatMap(keysOf).map(({ key }) => key));
  return [...names].flatMap((name) => {
    const owners = builtinProviders.filter((one) => keysOf(one).some(({ key }) => key === name));
    const key = owners.flatMap(keysOf).find((one) => one.key === name);
    if (key === undefined) return [];
    return [
      {
        path: `env.${name}`,
        meaning: `setting ${key.setting} of the sandbox provider`,
        type: VALUE_TYPES[key.kind ?? 'text'],
        default: null,
        example: `${name}: ...`,
        flag: null,
        variable: key.variable ?? null,
        aliases: [],
        notNames: [],
        readers: owners.map((owner) => `provider ${owner.name}`),
      },
    ];
  });
}

function keysOf({ keys, spec }: (typeof builtinProviders)[number]) {
  return [...keys, ...(spec?.keys ?? [])];
}

async function ownKeys(
  environment: string | null,
  context: CliContext,
): Promise<readonly KeyExplanation[]> {
  const known = knownEnvironments(context).map((entry) => entry.load());
  const definitions =
    environment === null
      ? await Promise.all(known)
      : [(await findOrAnnounced(environment, context)).definition];
  const announced = announcedEnvironments.filter(
    ({ id }) => environment === null || id === environment,
  );
  return [
    ...definitions.flatMap(({ id, config }) =>
      explainOwnKeys(config).map(({ key, ...rest }) => ownKey(id, key, rest)),
    ),
    ...announced.flatMap(({ id, keys }) =>
      Object.entries(keys).map(([name, key]) => ownKey(id, name, key)),
    ),
  ];
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
    notNames: [],
    readers: [`environment ${id}`],
  };
}
