import type { JsonObject } from '@hermes/protocol';
import type { ConfigSchema } from '../environment.ts';
import type { RawConfig } from './_layers.ts';
import { parseOwnKeys, schemaKeys, snakeCase } from './_own-keys.ts';
import { parseFields } from './_parse-fields.ts';
import { redacted } from './_redact.ts';
import { variableTexts } from './_variable-texts.ts';
import type { RunConfig } from './load-run-config.ts';
import {
  type EnvSettings,
  envFields,
  envSettingsOf,
  serverFields,
  trainingSettingsOf,
} from './sections.ts';
import { serverKeys } from './server-keys.ts';
import { trackingKeys } from './tracking-keys.ts';
import { type Traced, valuesOf } from './value-source.ts';

/** The sections as they are used, and everything that is wrong with them. */
export type ParsedConfig = Readonly<{
  settings: Pick<
    RunConfig,
    'env' | 'training' | 'tracking' | 'servers' | 'environment' | 'further'
  >;
  problems: readonly string[];
  dump: JsonObject;
}>;

/** Reads the sections. A general key that the environment's schema has too is read by both. */
export async function parseSections(
  { env: given, openai }: RawConfig,
  schema: ConfigSchema<unknown> | undefined,
  furtherKeys: readonly string[],
): Promise<ParsedConfig> {
  const generalKeys = Object.keys(envFields);
  const [general, others] = split(given, (key) => generalKeys.includes(key));
  const [further, own] = split(others, (key) => furtherKeys.includes(key));
  const shared = ownNames(schema);
  const [sharedValues] = split(general, (key) => shared.includes(key));
  const env = parseFields('env', envFields, general);
  const validKeys = [...generalKeys, ...furtherKeys];
  const environment = await parseOwnKeys({ ...sharedValues, ...own }, schema, validKeys);
  const servers = openai.map((server, index) => {
    const path = openai.length === 1 ? 'openai' : `openai.${index}`;
    const parsed = parseFields(path, serverFields, server);
    return { ...parsed, problems: [...variableTexts(path, server), ...parsed.problems] };
  });
  const settings = {
    env: envSettingsOf(env.settings),
    training: trainingSettingsOf(env.settings),
    tracking: trackingKeys.settingsOf(env.settings),
    servers: servers.map((server) => serverKeys.settingsOf(server.settings)),
    environment: environment.settings,
    further: valuesOf(further),
  };
  const sections = [env, environment, ...servers];
  return {
    settings,
    problems: [
      ...toolsetConflict(settings.env),
      ...sections.flatMap((section) => section.problems),
    ],
    dump: {
      env: { ...without(env.dump, shared), ...redacted(settings.further), ...environment.dump },
      openai: servers.map((server) => server.dump),
    },
  };
}

function ownNames(schema: ConfigSchema<unknown> | undefined): readonly string[] {
  return schema === undefined ? [] : (schemaKeys(schema) ?? []).map(snakeCase);
}

/** Of a general key that the environment reads itself, its own default is the one that holds. */
function without(dump: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(dump).filter(([name]) => !names.includes(name)));
}

/** Those under the names, and the rest. */
function split(given: Traced, isNamed: (name: string) => boolean): readonly [Traced, Traced] {
  const entries = Object.entries(given);
  return [
    Object.fromEntries(entries.filter(([name]) => isNamed(name))),
    Object.fromEntries(entries.filter(([name]) => !isNamed(name))),
  ];
}

function toolsetConflict(env: EnvSettings): readonly string[] {
  if (env.enabledToolsets === null || env.distribution === null) return [];
  return ['env.distribution: cannot stand beside env.enabled_toolsets; keep one of them'];
}
