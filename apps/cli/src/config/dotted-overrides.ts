import { type ConfigKey, type ConfigOverride, configKeys } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import type { DottedFlag } from '../dotted-flags.ts';
import { findProviderKey } from '../sandboxes/builtin-providers.ts';

/** Dotted flags as values of the configuration. Throws CONFIG for a section that is none, and for a flag without the value that it needs. */
export function dottedOverrides(dotted: readonly DottedFlag[]): readonly ConfigOverride[] {
  const keys = configKeys();
  return dotted.map(({ section, key, value }) => {
    if (section !== 'env' && section !== 'openai') throw noSection(section, key, keys);
    if (value === null && !mayStandAlone(section, key, keys)) throw noValue(section, key);
    return { section, key, value: value ?? true };
  });
}

/** As in the original, a flag that is true or false needs no value; of keys that only an environment knows it decides itself. */
function mayStandAlone(section: string, key: string, keys: readonly ConfigKey[]): boolean {
  const known = keys.find((one) => one.section === section && one.key === key);
  if (known !== undefined) return known.type.startsWith('true or false');
  const providers = section === 'env' ? findProviderKey(key) : null;
  return providers === null ? section === 'env' : providers.kind === 'flag';
}

function noValue(section: string, key: string): HermesError {
  const flag = `--${section}.${key}`;
  const message = `${flag}: a value is needed, for example ${flag} 1; one that begins with a dash is written ${flag}=VALUE`;
  return new HermesError('config', 'CONFIG', message);
}

/** What people write for the two sections. */
const SECTION_NAMES: Readonly<Record<string, string>> = {
  server: 'openai',
  servers: 'openai',
  model: 'openai',
  llm: 'openai',
  api: 'openai',
  environment: 'env',
  config: 'env',
  sandbox: 'env.sandbox',
};

function noSection(section: string, key: string, keys: readonly ConfigKey[]): HermesError {
  const owner = keys.find((one) => one.key === key)?.section;
  const meant = owner ?? SECTION_NAMES[section] ?? nearestName(section, ['env', 'openai']);
  const hint = meant === null ? '' : ` Did you mean --${meant}.${key}?`;
  const message = `--${section}.${key}: there is no section '${section}'.${hint} Sections are env and openai (hermes config explain lists their keys)`;
  return new HermesError('config', 'CONFIG', message);
}
