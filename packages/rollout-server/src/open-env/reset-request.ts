import { z } from 'zod';
import type { ItemChoice } from '../environments/find-item.ts';
import { parse } from '../http/parse.ts';
import { itemChoice, itemKeys, namesOneItemAtMost } from '../rollouts/item-keys.ts';

const resetBody = z
  .strictObject({
    ...itemKeys,
    seed: z.int().min(0).nullish(),
    episode_id: z.string().min(1).max(255).nullish(),
  })
  .refine(namesOneItemAtMost, 'name one item at most, by item_id, index or row');

/** What a reset asks for. What is null was not said. */
export type ResetRequest = Readonly<{
  environment: string | null;
  episodeId: string | null;
  choice: ItemChoice | null;
  split: 'train' | 'eval';
  seed: number | null;
}>;

/** Throws a Refusal that names the wrong key. */
export function readResetRequest(value: unknown): ResetRequest {
  const body = parse(resetBody, value);
  return {
    environment: body.environment ?? null,
    episodeId: body.episode_id ?? null,
    choice: itemChoice(body),
    split: body.split,
    seed: body.seed ?? null,
  };
}
