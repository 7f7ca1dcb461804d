import type { RunOptions } from '@hermes/env-core';
import { createOpenAiModel } from '@hermes/model-openai';
import { type Effects, HermesError, type JsonObject } from '@hermes/protocol';

type Model = RunOptions<unknown>['model'];

const KEYS = ['base_url', 'model', 'api_key'];

/**
 * The model that a request brings, an OpenAI-compatible endpoint such as a trainer's own proxy; without one that of the command. Throws a
 * HermesError with code CONFIG for a wrong key or value.
 */
export function requestedModel(requested: JsonObject, ofCommand: Model, effects: Effects): Model {
  if (Object.keys(requested).length === 0) return ofCommand;
  const unknown = Object.keys(requested).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw wrong(unknown, `not known; there is ${KEYS.join(', ')}`);
  const baseUrl = text(requested, 'base_url');
  if (baseUrl === null) throw wrong('base_url', 'needed beside the other keys');
  const model = text(requested, 'model') ?? ofCommand.modelId;
  const apiKey = text(requested, 'api_key');
  const settings = { baseUrl, model, ...(apiKey === null ? {} : { apiKey }) };
  const client = createOpenAiModel(settings, effects);
  return { provider: 'openai', modelId: model, open: () => client };
}

/** null = not said. */
function text(requested: JsonObject, key: string): string | null {
  const value = requested[key] ?? null;
  if (value === null || (typeof value === 'string' && value !== '')) return value;
  throw wrong(key, 'a text is wanted');
}

function wrong(key: string, what: string): HermesError {
  return new HermesError('config', 'CONFIG', `model.${key}: ${what}`);
}
