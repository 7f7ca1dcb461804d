import type { JsonObject } from '@hermes/protocol';
import { z } from 'zod';
import type { ItemChoice } from '../environments/find-item.ts';

/** The keys of a request that name an item. */
export const itemKeys: Readonly<{
  environment: z.ZodOptional<z.ZodString>;
  item_id: z.ZodOptional<z.ZodString>;
  index: z.ZodOptional<z.ZodInt>;
  row: z.ZodOptional<z.ZodType<JsonObject>>;
  split: z.ZodDefault<z.ZodEnum<{ train: 'train'; eval: 'eval' }>>;
}> = {
  environment: z.string().optional(),
  item_id: z.string().optional(),
  index: z.int().min(0).optional(),
  row: z.record(z.string(), z.json()).optional(),
  split: z.enum(['train', 'eval']).default('train'),
};

type ItemBody = Readonly<{
  item_id?: string | undefined;
  index?: number | undefined;
  row?: JsonObject | undefined;
}>;

/** Says whether a body names one item and not two. */
export function namesOneItem(body: ItemBody): boolean {
  return namedKeys(body).length === 1;
}

/** As `namesOneItem`, for requests that may leave the choice to the server. */
export function namesOneItemAtMost(body: ItemBody): boolean {
  return namedKeys(body).length <= 1;
}

/** null = none is named. */
export function itemChoice({ item_id, index, row }: ItemBody): ItemChoice | null {
  if (item_id !== undefined) return { by: 'id', id: item_id };
  if (index !== undefined) return { by: 'index', index };
  return row === undefined ? null : { by: 'row', row };
}

function namedKeys({ item_id, index, row }: ItemBody): readonly unknown[] {
  return [item_id, index, row].filter((value) => value !== undefined);
}
