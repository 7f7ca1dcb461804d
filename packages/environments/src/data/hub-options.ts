import { join } from 'node:path';
import type { DatasetOptions } from '@hermes/datasets';
import type { EnvironmentContext } from '@hermes/env-core';

type Variables = NonNullable<EnvironmentContext['variables']>;

/** What the host's environment says about the Hugging Face hub, under the names that its own clients read. */
export function hubOptions({ variables = {}, effects }: EnvironmentContext): DatasetOptions {
  const { HF_TOKEN, HF_ENDPOINT, HF_HUB_OFFLINE = '' } = variables;
  const cacheDir = cacheFolder(variables);
  return {
    logger: effects.logger,
    ...(HF_TOKEN ? { token: HF_TOKEN } : {}),
    ...(HF_ENDPOINT ? { endpoint: HF_ENDPOINT } : {}),
    ...(/^(1|true|yes|on)$/i.test(HF_HUB_OFFLINE) ? { offline: true } : {}),
    ...(cacheDir === null ? {} : { cacheDir }),
  };
}

/** null: where it is by default. */
function cacheFolder(variables: Variables): string | null {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME } = variables;
  const hub = HF_HUB_CACHE || HUGGINGFACE_HUB_CACHE;
  if (hub) return hub;
  const home = HF_HOME || (XDG_CACHE_HOME ? join(XDG_CACHE_HOME, 'huggingface') : '');
  return home === '' ? null : join(home, 'hub');
}
