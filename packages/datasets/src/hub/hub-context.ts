import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Logger } from '@hermes/protocol';
import { systemClock } from '../_clock.ts';
import { DatasetError } from '../dataset-error.ts';
import type { DatasetOptions } from '../types.ts';

/** The options with their defaults: what every step of a download needs. */
export type HubContext = Readonly<{
  endpoint: string;
  cacheDir: string;
  offline: boolean;
  token: string | null;
  fetch: typeof fetch;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}>;

const silent: Logger = { log: () => undefined };

export function createHubContext(options: DatasetOptions, signal: AbortSignal): HubContext {
  return {
    endpoint: checkEndpoint(options.endpoint ?? 'https://huggingface.co'),
    cacheDir: options.cacheDir ?? join(homedir(), '.cache', 'huggingface', 'hub'),
    offline: options.offline ?? false,
    token: options.token ? options.token : null,
    fetch: options.fetch ?? fetch,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? silent,
    signal,
  };
}

function checkEndpoint(endpoint: string): string {
  if (/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)) return endpoint.replace(/\/+$/, '');
  throw new DatasetError(
    'SOURCE',
    `the hub's endpoint "${endpoint}" is no address; write one as https://huggingface.co`,
  );
}
