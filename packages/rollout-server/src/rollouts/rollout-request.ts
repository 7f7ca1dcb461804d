import type { JsonObject, Sampling } from '@hermes/protocol';
import { z } from 'zod';
import type { ItemChoice } from '../environments/find-item.ts';
import { parse } from '../http/parse.ts';
import { itemChoice, itemKeys, namesOneItem } from './item-keys.ts';
import { samplingBody } from './sampling-keys.ts';

const rolloutBody = z
  .strictObject({
    ...itemKeys,
    n: z.int().min(1).max(1024).default(1),
    seed: z.int().default(0),
    sampling: samplingBody.default({}),
    model: z.record(z.string(), z.json()).default({}),
    timeout_seconds: z.number().positive().optional(),
  })
  .refine(namesOneItem, 'name one item, by item_id, index or row');

/** What `POST /rollouts` asks for. */
export type RolloutRequest = Readonly<{
  environment: string | null;
  choice: ItemChoice;
  count: number;
  split: 'train' | 'eval';
  seed: number;
  sampling: Sampling;
  model: JsonObject;
  /** null = not said. */
  timeoutMs: number | null;
}>;

/** Throws a Refusal that names the wrong key. */
export function readRolloutRequest(value: unknown): RolloutRequest {
  const body = parse(rolloutBody, value);
  const { environment = null, n, split, seed, sampling, model, timeout_seconds } = body;
  return {
    environment,
    choice: itemChoice(body) ?? { by: 'index', index: 0 },
    count: n,
    split,
    seed,
    sampling,
    model,
    timeoutMs: timeout_seconds === undefined ? null : timeout_seconds * 1000,
  };
}
