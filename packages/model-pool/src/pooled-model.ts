import type { ChatModel } from '@hermes/protocol';
import { commonModelCapabilities, joinNames } from './common-capabilities.ts';
import type { ModelPool } from './types.ts';
import { withinPool } from './within-pool.ts';

/**
 * A pool as the `ChatModel` of one rollout: every call goes to the rollout's endpoint, or, when that
 * is down, to another one. `close` releases the rollout.
 */
export function openPooledModel(pool: ModelPool<ChatModel>, rolloutId: string): ChatModel {
  const models = pool.members.map((member) => member.model);
  return {
    specificationVersion: 'v1',
    provider: joinNames(models.map((model) => model.provider)),
    modelId: joinNames(models.map((model) => model.modelId)),
    capabilities: commonModelCapabilities(models.map((model) => model.capabilities)),
    chat: (request, context) =>
      withinPool(pool, { ...context, rolloutId }, (model) => model.chat(request, context)),
    close: async () => pool.release(rolloutId),
  };
}
