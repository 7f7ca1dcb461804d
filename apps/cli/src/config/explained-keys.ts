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
  return [
    ...generalKeys(),
    ...explainedProviderKeys(),
    ...(await explainedOwnKeys(environment, context)),
  ];
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
