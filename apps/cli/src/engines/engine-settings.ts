import type { TokenEngineSettings } from '@hermes/managed-server';
import { HermesError } from '@hermes/protocol';
import type { Endpoint } from '../openai/endpoint.ts';
import { UNNAMED } from '../openai/model-name.ts';

/** An endpoint in the words of the engines. Throws CONFIG where RunPod is asked and nobody said what runs there. */
export function engineSettings(endpoint: Endpoint): TokenEngineSettings {
  const { baseUrl, apiKey, model, settings } = endpoint;
  return {
    baseUrl,
    ...kindOf(endpoint),
    stream: settings.streaming,
    timeoutMs: Math.ceil(settings.timeoutMs),
    maxAttempts: settings.maxAttempts,
    retryDelayMs: Math.ceil(settings.retryDelayMs),
    ...(model === UNNAMED ? {} : { model }),
    ...(apiKey === null ? {} : { apiKey }),
    ...(settings.headers === null ? {} : { headers: settings.headers }),
    ...(settings.contextTokens === null ? {} : { contextTokens: settings.contextTokens }),
  };
}

type Kind = Pick<TokenEngineSettings, 'serverType' | 'runpod'>;

function kindOf({ baseUrl, settings: { serverType, runpodWorker } }: Endpoint): Kind {
  const { hostname, pathname } = new URL(baseUrl);
  const isQueue = hostname === 'api.runpod.ai';
  if (serverType !== 'runpod' && !(serverType === 'auto' && isQueue)) return { serverType };
  if (runpodWorker === null) throw noWorker(baseUrl);
  if (isRunpodHost(hostname)) return { serverType: runpodWorker };
  // behind another name only the path tells how it is reached
  const isGateway = /\/openai(\/v1)?\/*$/.test(pathname);
  return { serverType: runpodWorker, runpod: isGateway ? 'gateway' : 'queue' };
}

/** Whether a server sleeps until somebody asks, so that the first answer takes minutes and a question costs money. */
export function isServerless({ baseUrl, settings }: Endpoint): boolean {
  return settings.serverType === 'runpod' || isRunpodHost(new URL(baseUrl).hostname);
}

function isRunpodHost(hostname: string): boolean {
  return hostname.endsWith('api.runpod.ai');
}

function noWorker(baseUrl: string): HermesError {
  const message = `the RunPod endpoint ${baseUrl} cannot be asked what it runs: say --openai.runpod_worker vllm or sglang`;
  return new HermesError('config', 'CONFIG', message);
}
