import type { JsonObject } from '@hermes/protocol';
import { z } from 'zod';

/** The trainer's answers as the wire has them: only what is used, and tolerant of more. */
export type WireRegistered = Readonly<
  | { status: 'wait' }
  | {
      status: 'success';
      env_id: number;
      wandb_name: string;
      checkpoint_dir: string;
      starting_step: number;
      checkpoint_interval: number;
      num_steps: number;
    }
>;

export const registeredSchema: z.ZodType<WireRegistered> = z.union([
  z.object({
    status: z.literal('success'),
    env_id: z.int(),
    wandb_name: z.string(),
    checkpoint_dir: z.string(),
    starting_step: z.int(),
    checkpoint_interval: z.int(),
    num_steps: z.int(),
  }),
  z
    .object({ status: z.string().startsWith('wait') })
    .transform(() => ({ status: 'wait' as const })),
]);

export const infoSchema: z.ZodType<{ batch_size: number; max_token_len: number }> = z.object({
  batch_size: z.int(),
  max_token_len: z.int(),
});

export const trackingSchema: z.ZodType<{ group: string | null; project: string | null }> = z.object(
  { group: z.string().nullable(), project: z.string().nullable() },
);

export type WireStatus = Readonly<{
  current_step: number;
  queue_size: number;
  unallocated_fraction: number;
  self_queue_size: number;
  max_group_size: number;
  env_weight: number;
}>;

export const statusSchema: z.ZodType<WireStatus> = z.object({
  current_step: z.int(),
  queue_size: z.int(),
  unallocated_fraction: z.number(),
  self_queue_size: z.int(),
  max_group_size: z.int(),
  env_weight: z.number(),
});

export type WireSent = Readonly<
  { status: 'received' } | { status: 'buffered'; buffer_size: number }
>;

export const sentSchema: z.ZodType<WireSent> = z.union([
  z.object({ status: z.literal('received') }),
  z.object({ status: z.literal('buffered'), buffer_size: z.int() }),
]);

export type WireSentList = Readonly<{
  status: 'received';
  groups_processed: number;
  last_buffer_size?: number | undefined;
}>;

export const sentListSchema: z.ZodType<WireSentList> = z.object({
  status: z.literal('received'),
  groups_processed: z.int(),
  last_buffer_size: z.int().optional(),
});

export const disconnectedSchema: z.ZodType<{ status: string }> = z.object({ status: z.string() });

/** 128 bits: the value is not exact, the digits of the text are. */
export const trainerSchema: z.ZodType<{ uuid: number }> = z.object({ uuid: z.number() });

export type WireRefusal = Readonly<{
  detail: string | readonly Readonly<{ loc: readonly (string | number)[]; msg: string }>[];
}>;

export const refusalSchema: z.ZodType<WireRefusal> = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
  ]),
});

type Rows<T> = readonly T[] | null | undefined;

/** A group of a batch. Absent, null and empty lists mean the same. */
export type WireGroup = Readonly<{
  tokens: readonly (readonly number[])[];
  masks: readonly (readonly number[])[];
  scores: readonly number[];
  inference_logprobs?: Rows<readonly number[]>;
  advantages?: Rows<readonly number[]>;
  ref_logprobs?: Rows<readonly number[]>;
  messages?: Rows<readonly JsonObject[]>;
  overrides?: Rows<JsonObject>;
  distill_token_ids?: Rows<readonly (readonly number[])[]>;
  distill_logprobs?: Rows<readonly (readonly number[])[]>;
  group_overrides?: JsonObject | null | undefined;
  generation_params?: JsonObject | null | undefined;
}>;

const objectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());
const numberRows = z.array(z.array(z.number())).nullish();

const groupSchema: z.ZodType<WireGroup> = z.object({
  tokens: z.array(z.array(z.int())),
  masks: z.array(z.array(z.int())),
  scores: z.array(z.number()),
  inference_logprobs: numberRows,
  advantages: numberRows,
  ref_logprobs: numberRows,
  messages: z.array(z.array(objectSchema)).nullish(),
  overrides: z.array(objectSchema).nullish(),
  distill_token_ids: z.array(z.array(z.array(z.int()))).nullish(),
  distill_logprobs: z.array(z.array(z.array(z.number()))).nullish(),
  group_overrides: objectSchema.nullish(),
  generation_params: objectSchema.nullish(),
});

/** Lists are empty before the first group. */
export const latestSchema: z.ZodType<{
  tokens: readonly (readonly number[])[];
  scores: readonly number[];
}> = z.object({ tokens: z.array(z.array(z.number())), scores: z.array(z.number()) });

export type WireBatch = Readonly<
  { status: 'error'; message: string } | { batch: readonly WireGroup[] | null }
>;

export const batchSchema: z.ZodType<WireBatch> = z.union([
  z.object({ status: z.literal('error'), message: z.string() }),
  z.object({ batch: z.array(groupSchema).nullable() }),
]);
