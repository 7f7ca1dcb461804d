import { createLimiter } from '@hermes/env-core';
import { createModelPool, createPooledEngine, openAiProbe } from '@hermes/model-pool';
import type { Effects, TokenEngine } from '@hermes/protocol';
import { type Endpoint, requestHeaders } from '../openai/endpoint.ts';
import { isServerless } from './engine-settings.ts';
import type { OpenedEngines, ServerState } from './opened-engines.ts';

/** One endpoint with its engine. */
export type Member = Readonly<{ endpoint: Endpoint; engine: TokenEngine }>;

/** Engines of one model as a pool, a single one too: a trainer starts its server anew now and then, and rollouts wait for it. */
export function enginesOf(members: readonly Member[], effects: Effects): OpenedEngines {
  const nowMs = (): number => effects.clock.now().monoMs;
  const pool = createModelPool(
    members.map(({ endpoint, engine }) => ({
      id: endpoint.baseUrl,
      model: engine,
      limiter: createLimiter(endpoint.settings.maxRequests, nowMs),
      probe: probeOf(endpoint),
    })),
    { effects },
  );
  return {
    engine: createPooledEngine(pool),
    calls: members.reduce((sum, { endpoint }) => sum + endpoint.settings.maxRequests, 0),
    at: (baseUrl) => members.find(({ endpoint }) => isSame(endpoint.baseUrl, baseUrl))?.engine,
    servers: () => statesOf(members, pool.stats()),
    stats: pool.stats,
    release: pool.release,
    async close() {
      await pool.close();
      await closeMembers(members);
    },
  };
}

/** Ends what was opened. */
export async function closeMembers(members: readonly Member[]): Promise<void> {
  await Promise.all(members.map(({ engine }) => engine.close?.()));
}

/** A serverless endpoint would wake up at each question. */
function probeOf(endpoint: Endpoint): ReturnType<typeof openAiProbe> | null {
  if (!endpoint.settings.checksHealth || isServerless(endpoint)) return null;
  return openAiProbe(endpoint.baseUrl, { headers: requestHeaders(endpoint) });
}

function isSame(one: string, other: string): boolean {
  const root = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '');
  return root(one) === root(other);
}

function statesOf(
  members: readonly Member[],
  stats: Readonly<Record<string, number>>,
): readonly ServerState[] {
  return members.map(({ endpoint: { baseUrl } }, index) => ({
    baseUrl,
    isHealthy: stats[`server/server_${index}_healthy`] !== 0,
  }));
}
