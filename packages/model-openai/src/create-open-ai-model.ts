import type { ChatModel, Effects } from '@hermes/protocol';
import { chat } from './chat.ts';
import { openModel } from './open-model.ts';
import type { OpenAiModelSettings } from './settings.ts';

/**
 * A model behind any OpenAI-compatible endpoint. Does no I/O before the first call; stateless, so
 * rollouts may share it and there is nothing to close. Throws `CONFIG` for a wrong setting.
 */
export function createOpenAiModel(
  settings: OpenAiModelSettings,
  effects?: Partial<Effects>,
): ChatModel {
  const model = openModel(settings, effects);
  const { contextTokens, images, model: modelId, stream } = model.settings;
  return {
    specificationVersion: 'v1',
    provider: 'openai',
    modelId,
    capabilities: { tokenIds: false, images, toolChoice: true, streaming: stream, contextTokens },
    chat: (request, context) => chat(model, request, context),
  };
}
