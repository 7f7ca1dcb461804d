import { createLimiter } from '@hermes/env-core';
import { createModelPool, type ModelPool, openAiProbe } from '@hermes/model-pool';
import type { ChatModel, Effects } from '@hermes/protocol';
import { type Endpoint, requestHeaders } from './endpoint.ts';

/** One endpoint with the client that talks to it. */
export interface Member {
  readonly endpoint: Endpoint;
  readonly model: ChatModel;
}

/** Several servers of one model as a pool. It does no I/O before its first call. */
export function openPool(members: readonly Member[], effects: Effects): ModelPool<ChatModel> {
  const nowMs = (): number => effects.clock.now().monoMs;
  const pooled = members.map(({ endpoint, model }) => ({
    id: endpoint.baseUrl,
    model,
    limiter: createLimiter(endpoint.settings.maxRequests, nowMs),
    probe: endpoint.settings.checksHealth
      ? openAiProbe(endpoint.baseUrl, { headers: requestHeaders(endpoint) })
      : null,
  }));
  return createModelPool(pooled, { effects });
}
