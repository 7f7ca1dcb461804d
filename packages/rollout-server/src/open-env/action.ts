import type { AssistantMessage, JsonObject, ToolCall } from '@hermes/protocol';
import { z } from 'zod';

/** An action as it comes in. */
export type ActionBody = Readonly<{
  content?: string | null | undefined;
  reasoning_content?: string | null | undefined;
  tool_calls?:
    | readonly Readonly<{
        id?: string | null | undefined;
        type: 'function';
        function: Readonly<{ name: string; arguments: string | JsonObject }>;
      }>[]
    | null
    | undefined;
  finish_reason?: Action['finishReason'] | null | undefined;
}>;

/** What a trainer sends as the model's answer. */
export const actionBody: z.ZodType<ActionBody> = z.strictObject({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(
      z.strictObject({
        id: z.string().nullish(),
        type: z.literal('function').default('function'),
        function: z.strictObject({
          name: z.string(),
          /** JSON text as the model wrote it, or the object itself. */
          arguments: z.union([z.string(), z.record(z.string(), z.json())]).default({}),
        }),
      }),
    )
    .nullish(),
  finish_reason: z.enum(['stop', 'tool_calls', 'length']).nullish(),
  /** OpenEnv's own field of every action; nothing is read from it. */
  metadata: z.record(z.string(), z.json()).nullish(),
});

/** An answer of the trainer's model. */
export type Action = Readonly<{
  message: AssistantMessage;
  finishReason: 'stop' | 'tool_calls' | 'length';
}>;

/** step: 0-based, for the ids of calls that have none. */
export function readAction(body: ActionBody, step: number): Action {
  const calls = (body.tool_calls ?? []).map(
    ({ id, function: { name, arguments: given } }, index): ToolCall => ({
      id: id ?? `call_${step}_${index}`,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    }),
  );
  const message: AssistantMessage = {
    role: 'assistant',
    content: body.content ?? '',
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(body.reasoning_content && { reasoning_content: body.reasoning_content }),
  };
  return {
    message,
    finishReason: body.finish_reason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
  };
}
