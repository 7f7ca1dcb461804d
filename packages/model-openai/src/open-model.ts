import type { Effects } from '@hermes/protocol';
import type { ModelTarget } from './model-target.ts';
import type { OpenResponse } from './open-response.ts';
import type { ResolvedSettings } from './settings.ts';

/** What every call of one model shares. */
export type OpenModel = Readonly<{
  settings: ResolvedSettings;
  effects: Effects;
  target: ModelTarget;
  open: OpenResponse;
}>;
