import { z } from 'zod';
import type { MessagesBody } from './wire.ts';

const text = z.object({ type: z.literal('text'), text: z.string() });
const image = z.object({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string() }),
  ]),
});
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image]))]).nullish(),
});
const thinking = z.object({ type: z.literal('thinking'), thinking: z.string() });

const userBlock = z.discriminatedUnion('type', [text, image, toolResult]);
const assistantBlock = z.discriminatedUnion('type', [text, toolUse, thinking]);

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(userBlock)]) }),
  z.object({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(assistantBlock)]),
  }),
]);

const tool = z.object({
  type: z.literal('custom').nullish(),
  name: z.string(),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
});

const toolChoice = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['auto', 'any', 'none']) }),
  z.object({ type: z.literal('tool'), name: z.string() }),
]);

const body = z.object({
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(text)]).nullish(),
  max_tokens: z.int().min(1),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().nullish(),
  top_k: z.int().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  stream: z.boolean().nullish(),
});

/** The body of a message request, as Anthropic's clients send it. */
export const messagesBody: z.ZodType<MessagesBody> = body;

/** The body of a question for a count of tokens. */
export const countBody: z.ZodType<MessagesBody> = body.extend({
  max_tokens: z.int().min(1).default(1),
});
