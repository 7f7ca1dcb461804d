import { checkedUrl, checkHeader, checkHeaderValue, refuse, whole } from './check-setting.ts';
import type { OpenAiModelSettings, ResolvedSettings } from './settings.ts';

/** Checks settings, also those of plain JavaScript. Throws `CONFIG` with the name of the setting. */
export function resolveSettings(given: OpenAiModelSettings): ResolvedSettings {
  checkNames(given);
  const url = checkedUrl(given.baseUrl);
  if (typeof given.model !== 'string' || given.model === '') {
    refuse('model', 'has to be the name that the server knows the model by');
  }
  for (const [name, value] of Object.entries(given.headers ?? {})) checkHeader(name, value);
  if (given.apiKey !== undefined) checkHeaderValue('apiKey', given.apiKey);
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    model: given.model,
    apiKey: given.apiKey ?? null,
    headers: given.headers ?? {},
    timeoutMs: whole(given, 'timeoutMs', 1_200_000, 1),
    stallMs: whole(given, 'stallMs', 120_000, 1),
    maxAttempts: whole(given, 'maxAttempts', 3, 1),
    retryDelayMs: whole(given, 'retryDelayMs', 500, 0),
    maxRetryAfterMs: whole(given, 'maxRetryAfterMs', 60_000, 0),
    contextTokens: given.contextTokens === undefined ? null : whole(given, 'contextTokens', 1, 1),
    stream: given.stream ?? true,
    streamUsage: given.streamUsage ?? true,
    maxTokensField: given.maxTokensField ?? defaultMaxTokensField(url),
    reasoningField: given.reasoningField === undefined ? 'reasoning_content' : given.reasoningField,
    images: given.images ?? true,
    gatewayPath: given.gatewayPath ?? null,
  };
}

const NAMES: Readonly<Record<keyof OpenAiModelSettings, true>> = {
  baseUrl: true,
  model: true,
  apiKey: true,
  headers: true,
  timeoutMs: true,
  stallMs: true,
  maxAttempts: true,
  retryDelayMs: true,
  maxRetryAfterMs: true,
  contextTokens: true,
  stream: true,
  streamUsage: true,
  maxTokensField: true,
  reasoningField: true,
  images: true,
  gatewayPath: true,
};

function checkNames(given: OpenAiModelSettings): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(NAMES, name));
  if (unknown !== undefined)
    refuse(unknown, `is no setting; there are ${Object.keys(NAMES).join(', ')}`);
}

function defaultMaxTokensField(url: URL): 'max_tokens' | 'max_completion_tokens' {
  return url.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
}
