import type { JsonSchema } from '@hermes/protocol';
import { z } from 'zod';

const origin = {
  id: z.string().describe('Unique in the file; the same after a resume'),
  groupId: z.string(),
  itemId: z.string(),
  rolloutId: z.string(),
  model: z.string(),
};
const reward = z.number();
const tools = z.string().nullable().describe('The tools that the model was offered, as JSON');

const part = z.looseObject({ type: z.enum(['text', 'image_url']) });
const content = z.union([z.string(), z.array(part)]);
const call = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content }),
  z.strictObject({ role: z.literal('user'), content }),
  z.strictObject({
    role: z.literal('assistant'),
    content,
    tool_calls: z.array(call).optional(),
    reasoning_content: z.string().optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content }),
]);
const turn = z.strictObject({
  from: z.enum(['system', 'human', 'gpt', 'tool']),
  value: z.string(),
});

const ids = z.array(z.int().nonnegative());
const mask = z.array(z.int().gte(-100)).describe('-100 on context, else the id of the token');
const logprobs = z.array(z.number().max(1)).describe('1 on context, else at most 0');

/** The kinds of lines that a training file can have: a format, or groups. */
export type TrainingLineKind = 'messages' | 'sharegpt' | 'tokens' | 'groups';

const schemas: Readonly<Record<TrainingLineKind, z.ZodType>> = {
  messages: z.strictObject({ ...origin, messages: z.array(message), tools, reward }),
  sharegpt: z.strictObject({ ...origin, conversations: z.array(turn), tools, reward }),
  tokens: z.strictObject({
    ...origin,
    segment: z.int().nonnegative(),
    invocation: z.string(),
    tokens: ids,
    masks: mask,
    logprobs,
    reward,
  }),
  groups: z.strictObject({
    id: origin.id,
    groupId: z.string(),
    itemId: z.string(),
    toolsets: z.array(z.string()),
    tools,
    rollouts: z.array(z.string()).describe('Of each sequence'),
    trainable: z.boolean().describe('false: the tokens are empty lists'),
    tokens: z.array(ids),
    masks: z.array(mask),
    inference_logprobs: z.array(logprobs),
    messages: z.array(z.array(message)).optional(),
    scores: z.array(z.number()),
  }),
};

/** The JSON schema of a line, as it also lies in the folder `schemas` of the package. */
export function trainingLineSchema(kind: TrainingLineKind): JsonSchema {
  return z.toJSONSchema(schemas[kind]) as JsonSchema;
}
