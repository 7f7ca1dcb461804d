import { resolve } from 'node:path';
import type {
  ConfigOverride,
  EnvironmentDefinition,
  ItemFilter,
  RunConfig,
} from '@hermes/env-core';
import { loadRunConfig } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import type { DottedFlag } from './dotted-flags.ts';

/** The flags of `hermes evaluate` as they were given; what was not given is absent. */
export interface EvaluateFlags {
  readonly model?: string;
  readonly path?: string;
  readonly sandbox?: string;
  readonly attempts?: number;
  readonly concurrency?: number;
  readonly limit?: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tag: readonly string[];
  readonly shuffle?: boolean;
  readonly seed?: number;
  readonly maxTurns?: number;
  readonly config?: string;
  readonly runDir?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

/** Defaults, then the file, then the flags: dotted ones first, named ones last. */
export function readConfig(
  definition: EnvironmentDefinition,
  flags: EvaluateFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<RunConfig> {
  const named = [
    override(
      'path',
      flags.path === undefined ? undefined : resolve(context.workingDirectory, flags.path),
    ),
    override('terminal_backend', flags.sandbox),
    override('max_agent_turns', flags.maxTurns),
  ].flat();
  return loadRunConfig({
    ...(flags.config === undefined
      ? {}
      : { file: resolve(context.workingDirectory, flags.config) }),
    overrides: [...dotted, ...named],
    environment: definition.config,
  });
}

function override(key: string, value: string | number | undefined): readonly ConfigOverride[] {
  return value === undefined ? [] : [{ section: 'env', key, value }];
}

/** Which items the flags ask for. */
export function filterOf(flags: EvaluateFlags): ItemFilter {
  return {
    ...(flags.include.length === 0 ? {} : { include: flags.include }),
    ...(flags.exclude.length === 0 ? {} : { exclude: flags.exclude }),
    ...(flags.tag.length === 0 ? {} : { tags: Object.fromEntries(flags.tag.map(tagOf)) }),
    ...(flags.limit === undefined ? {} : { first: flags.limit }),
    ...(flags.shuffle === true ? { shuffle: true } : {}),
  };
}

function tagOf(text: string): readonly [string, string] {
  const [key = '', ...value] = text.split('=');
  if (key !== '' && value.length > 0) return [key, value.join('=')];
  throw new HermesError(
    'config',
    'CONFIG',
    `--tag ${text}: write key=value, for example --tag difficulty=easy`,
  );
}
