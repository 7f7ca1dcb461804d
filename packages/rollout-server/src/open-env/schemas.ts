import { z } from 'zod';
import { actionBody } from './action.ts';

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
});

const observation = z.object({
  episode_id: z.string(),
  item_id: z.string(),
  messages: z.array(message).describe('Those since the last action, in the form of OpenAI.'),
  history_rewritten: z
    .boolean()
    .describe('True: messages are the whole conversation, which is another one.'),
  tools: z.array(z.looseObject({ type: z.literal('function') })),
  error: z.object({ reason: z.string(), cause: z.string(), message: z.string() }).nullable(),
  rewards: z.record(z.string(), z.number()).nullable(),
});

const state = z.object({
  episode_id: z.string().nullable(),
  step_count: z.int(),
  environment: z.string().nullable(),
  item_id: z.string().nullable(),
  done: z.boolean(),
});

/** The body of `GET /schema`. */
export function openEnvSchemas(): Readonly<Record<'action' | 'observation' | 'state', object>> {
  return {
    action: z.toJSONSchema(actionBody, { io: 'input' }),
    observation: z.toJSONSchema(observation),
    state: z.toJSONSchema(state),
  };
}
