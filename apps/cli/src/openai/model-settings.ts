import type { OpenAiModelSettings } from '@hermes/model-openai';
import type { Endpoint } from './endpoint.ts';

/** An endpoint in the words of the client. */
export function modelSettings({ baseUrl, apiKey, model, settings }: Endpoint): OpenAiModelSettings {
  return {
    baseUrl,
    model,
    timeoutMs: settings.timeoutMs,
    stallMs: settings.stallMs,
    maxAttempts: settings.maxAttempts,
    retryDelayMs: settings.retryDelayMs,
    stream: settings.streaming,
    streamUsage: settings.streamUsage,
    reasoningField: settings.reasoningField,
    ...(apiKey === null ? {} : { apiKey }),
    ...(settings.headers === null ? {} : { headers: settings.headers }),
    ...(settings.contextTokens === null ? {} : { contextTokens: settings.contextTokens }),
    ...(settings.maxTokensField === null ? {} : { maxTokensField: settings.maxTokensField }),
  };
}
