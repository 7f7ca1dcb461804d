import type { Effects } from '@hermes/protocol';
import { withDefaultEffects } from './_default-effects.ts';
import type { ModelTarget } from './model-target.ts';
import { createRedact } from './redact.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { OpenAiModelSettings, ResolvedSettings } from './settings.ts';
import { createTransport, type Transport } from './transport.ts';

/** What every call of one model shares. */
export type OpenModel = Readonly<{
  settings: ResolvedSettings;
  effects: Effects;
  target: ModelTarget;
  transport: Transport;
}>;

/** Checks the settings and prepares for calls, without any I/O. */
export function openModel(given: OpenAiModelSettings, effects?: Partial<Effects>): OpenModel {
  const settings = resolveSettings(given);
  const { apiKey, baseUrl, headers, model } = settings;
  const hasKey = apiKey !== null || Object.keys(headers).length > 0;
  return {
    settings,
    effects: withDefaultEffects(effects),
    target: { model, baseUrl, hasKey, redact: createRedact(settings) },
    transport: createTransport(settings),
  };
}
