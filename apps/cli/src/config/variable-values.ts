import type { ConfigValue, RunConfig } from '@hermes/env-core';
import { findBuiltin } from '../sandboxes/builtin-providers.ts';

/** What variables say beside the keys of the configuration: the server's key, and settings of the chosen sandbox provider. */
export function variableValues(
  { servers, env, further, values }: RunConfig,
  variables: Readonly<Record<string, string | undefined>>,
): readonly ConfigValue[] {
  const provider = findBuiltin(env.terminalBackend);
  const keys = [...(provider?.keys ?? []), ...(provider?.spec?.keys ?? [])];
  const settings = keys.flatMap(({ key, variable }) =>
    variable === undefined || further[key] !== undefined
      ? []
      : named(`env.${key}`, variable, variables),
  );
  const needsKey = servers.some(({ apiKey, apiKeyVariable }) => apiKey === '' && !apiKeyVariable);
  const apiKey = needsKey ? named('openai.api_key', 'OPENAI_API_KEY', variables) : [];
  return [...settings, ...apiKey].filter(
    ({ path }) => !values.some((one) => one.path === path && one.value !== ''),
  );
}

/** The value of a variable may be a secret: only that it is set is told. */
function named(
  path: string,
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
): readonly ConfigValue[] {
  if (!variables[name]) return [];
  return [{ path, value: '[set]', sources: [{ kind: 'variable', name }] }];
}
