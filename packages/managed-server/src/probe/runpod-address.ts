import type { ResolvedEngineSettings } from './settings.ts';

/** How an address is reached, and what of it is the endpoint. */
export type RunpodAddress = Readonly<{
  runpod: NonNullable<ResolvedEngineSettings['runpod']>;
  baseUrl: string;
}>;

/** RunPod's addresses say what they are: `/openai` behind the endpoint is its gateway, a host of its own a worker. */
export function runpodAddress({ baseUrl, runpod }: ResolvedEngineSettings): RunpodAddress {
  const { hostname } = new URL(baseUrl);
  const plain = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const isGateway = plain.endsWith('/openai');
  const found = runpod ?? foundAt(hostname, isGateway);
  const isEndpoint = found === 'gateway' || found === 'queue';
  return { runpod: found, baseUrl: isEndpoint ? plain.replace(/\/openai$/, '') : baseUrl };
}

function foundAt(hostname: string, isGateway: boolean): RunpodAddress['runpod'] {
  if (hostname === 'api.runpod.ai') return isGateway ? 'gateway' : 'queue';
  return hostname.endsWith('.api.runpod.ai') ? 'load_balancer' : 'none';
}
