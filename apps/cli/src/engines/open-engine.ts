import { openTokenEngine, type ServerFacts } from '@hermes/managed-server';
import { HermesError, type TokenEngine } from '@hermes/protocol';
import type { ModelRequest } from '../models.ts';
import type { Endpoint } from '../openai/endpoint.ts';
import { engineRefusal } from './engine-refusal.ts';
import { engineSettings, isServerless } from './engine-settings.ts';

/** A server that listens answers one token in this time, however busy it is. */
const START_MS = 120_000;

/**
 * Opens the engine of one endpoint and asks it for a token, so that what every call would end with is said now. Throws a HermesError `config`.
 * limitMs: of all questions of the start; a serverless endpoint, which may have to wake up, has the time of a request for each.
 */
export async function openEngine(
  endpoint: Endpoint,
  { effects, note, signal }: Pick<ModelRequest, 'effects' | 'note' | 'signal'>,
  limitMs: number = START_MS,
): Promise<TokenEngine> {
  const limit = isServerless(endpoint) ? null : AbortSignal.timeout(limitMs);
  try {
    const { engine, server } = await openTokenEngine(engineSettings(endpoint), {
      effects,
      signal: limit === null ? signal : AbortSignal.any([signal, limit]),
      probe: endpoint.settings.checksHealth,
    });
    if (server !== null && endpoint.settings.serverType === 'auto') note(found(endpoint, server));
    return engine;
  } catch (error) {
    signal.throwIfAborted();
    throw limit?.aborted ? silent(endpoint, limitMs, error) : engineRefusal(error, endpoint);
  }
}

function found({ baseUrl }: Endpoint, { serverType, version }: ServerFacts): string {
  const name = version === null ? serverType : `${serverType} ${version}`;
  return `the endpoint ${baseUrl} answers as ${name}; --openai.server_type ${serverType} takes it for that without asking`;
}

function silent({ baseUrl }: Endpoint, limitMs: number, cause: unknown): HermesError {
  const message = `the endpoint ${baseUrl} gave no token within ${limitMs / 1000} s: look at the server's log; --no-health-check does not ask for one`;
  return new HermesError('config', 'MODEL_SILENT', message, { cause });
}
