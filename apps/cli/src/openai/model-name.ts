import type { ServerSettings } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';

/** The `model_name` of a server of which nobody has said what it serves. */
export const UNNAMED = 'default';

/** The one model of a run: NAME of `--model`, else that of its servers; null = nobody has named one. Throws CONFIG for several. */
export function modelNameOf(
  name: string | null,
  servers: readonly ServerSettings[],
): string | null {
  if (name) return name;
  const names = [...new Set(servers.map((server) => server.modelName))];
  if (names.length > 1) {
    const message = `the servers of section openai have several models (${names.join(', ')}); one run has one: write --model openai:NAME`;
    throw new HermesError('config', 'CONFIG', message);
  }
  const [only = UNNAMED] = names;
  return only === UNNAMED ? null : only;
}
