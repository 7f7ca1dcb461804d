import type { JsonObject } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { ConfigSchema } from '../environment.ts';
import type { RunOptions } from '../run-options.ts';
import { readConfigFile } from './_config-file.ts';
import {
  type ConfigLayer,
  type ConfigOverride,
  type ConfigValues,
  nothingGiven,
  traced,
  withLayer,
  withOverrides,
} from './_layers.ts';
import { noticesOf } from './_notices.ts';
import { optionsOf } from './_options.ts';
import { parseSections } from './_parse-sections.ts';
import { ownConfigKeys } from './config-keys.ts';
import { type ConfigValue, listValues } from './list-values.ts';
import type { RunCommand } from './run-command.ts';
import type { EnvSettings, TrainingSettings } from './sections.ts';
import type { ServerSettings } from './server-keys.ts';
import type { TrackingSettings } from './tracking-keys.ts';

/** Where a configuration comes from, the weakest first: layers, file, overrides. */
export type ConfigSource = Readonly<{
  /** What holds where file and overrides say nothing, the weakest first: an environment, a command, variables. */
  layers?: readonly ConfigLayer[];
  /** A YAML file with the sections `env` and `openai`. */
  file?: string;
  /** One value each, text or data, for example from flags. key may name a place inside a map: `extra_body.top_k`. */
  overrides?: readonly ConfigOverride[];
  /** The environment's own configuration: its keys stand in section `env` too, in snake_case or as the schema writes them. */
  environment?: ConfigSchema<unknown>;
  /** Keys of section `env` that the caller reads itself, for example those of sandbox providers. */
  furtherKeys?: readonly string[];
  /** Which command reads it; keys that have no effect on it get a notice. Default `evaluate`. */
  command?: RunCommand;
}>;

/** A configuration that was read and checked. */
export type RunConfig = Readonly<{
  env: EnvSettings;
  training: TrainingSettings;
  tracking: TrackingSettings;
  servers: readonly ServerSettings[];
  /** The environment's own configuration as its schema returned it; null without a schema. */
  environment: unknown;
  /** What was given under `furtherKeys`, unchecked: data of the file, or text of a flag. */
  further: JsonObject;
  /** The same for `evaluate`, ready to be spread into its options. */
  options: ConfiguredOptions;
  /** All values under their names in the file, secrets redacted. */
  dump: JsonObject;
  /** The same one by one, with the sources of each. */
  values: readonly ConfigValue[];
  /** What was accepted and has no effect, or not the one that its name promises. */
  notices: readonly string[];
}>;

/** What a configuration decides of the options of a run. */
export type ConfiguredOptions = Pick<RunOptions<never>, 'sampling'> &
  Partial<
    Pick<
      RunOptions<never>,
      | 'systemPrompt'
      | 'extraBody'
      | 'limits'
      | 'toolLimits'
      | 'scheduler'
      | 'sandboxDefaults'
      | 'retry'
    >
  >;

/**
 * Reads and checks a configuration. Throws a HermesError `config` whose message names the place of
 * everything that is wrong: an unknown key with the nearest one and the valid ones, a bad value with
 * what was expected, a YAML mistake with its line.
 */
export async function loadRunConfig(source: ConfigSource = {}): Promise<RunConfig> {
  const { layers = [], file: path, overrides = [], environment: schema } = source;
  const file = path === undefined ? null : await readConfigFile(path);
  const all = [...layers.map(traced), ...(file === null ? [] : [file.layer])];
  const merged = withOverrides(all.reduce(withLayer, nothingGiven), overrides);
  const parsed = await parseSections(merged, schema, source.furtherKeys ?? []);
  refuse(path, [...merged.problems, ...parsed.problems]);
  const { settings, dump } = parsed;
  const ownKeys = schema === undefined ? [] : (ownConfigKeys(schema) ?? []);
  return {
    ...settings,
    options: optionsOf(settings.env),
    dump,
    values: listValues(merged, dump),
    notices: [
      ...(file?.notices ?? []),
      ...noticesOf(merged, aliasesGiven(all, overrides), ownKeys, source.command ?? 'evaluate'),
    ],
  };
}

function aliasesGiven(
  layers: readonly ConfigValues[],
  overrides: readonly ConfigOverride[],
): readonly string[] {
  const names = layers.flatMap(({ env = {} }) => Object.keys(env));
  return [...new Set([...names, ...overrides.map(({ key }) => key)])];
}

function refuse(file: string | undefined, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const where = file === undefined ? 'The configuration' : `The configuration ${file}`;
  const message = problems.length === 1 ? ` ${problems[0]}` : `\n  ${problems.join('\n  ')}`;
  throw new HermesError('config', 'CONFIG', `${where} is wrong:${message}`, {
    details: { problems },
  });
}
