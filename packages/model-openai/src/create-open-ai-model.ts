import type { ChatModel, Effects } from '@hermes/protocol';
import { withDefaultEffects } from './_default-effects.ts';
import { chat } from './chat.ts';
import type { OpenModel } from './open-model.ts';
import { createOpenResponse } from './open-response.ts';
import { createRedact } from './redact.ts';
import { type OpenAiModelSettings, type ResolvedSettings, resolveSettings } from './settings.ts';

/**
 * A model behind any OpenAI-compatible endpoint. Does no I/O before the first call; stateless, so
 * rollouts may share it and there is nothing to close. Throws `CONFIG` for a wrong setting.
 */
export function createOpenAiModel(
  settings: OpenAiModelSettings,
  effects?: Partial<Effects>,
): ChatModel {
  const model = openModel(resolveSettings(settings), withDefaultEffects(effects));
  const { contextTokens, images, model: modelId, stream } = model.settings;
  return {
    specificationVersion: 'v1',
    provider: 'openai',
    modelId,
    capabilities: { tokenIds: false, images, toolChoice: true, streaming: stream, contextTokens },
    chat: (request, context) => chat(model, request, context),
  };
}

function openModel(settings: ResolvedSettings, effects: Effects): OpenModel {
  const { apiKey, baseUrl, headers, model } = settings;
  const hasKey = apiKey !== null || Object.keys(headers).length > 0;
  const target = { model, baseUrl, hasKey, redact: createRedact(settings) };
  return { settings, effects, target, open: createOpenResponse(settings) };
}
