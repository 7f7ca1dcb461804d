import type {
  ChatRequest,
  JsonObject,
  JsonValue,
  Message,
  Sampling,
  ToolSchema,
} from '@hermes/protocol';
import type { ResolvedSettings } from './settings.ts';

/** The body of a chat request. What is absent is not sent; `extraBody` has the last word. */
export function requestBody(settings: ResolvedSettings, request: ChatRequest): JsonObject {
  const { extraBody, templateArguments, toolChoice, tools = [] } = request;
  return {
    model: settings.model,
    messages: request.messages.map((message) => wireMessage(settings, message)),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(toolChoice !== undefined && { tool_choice: wireToolChoice(toolChoice) }),
    ...wireSampling(settings, request.sampling),
    ...(templateArguments && { chat_template_kwargs: templateArguments }),
    ...streamFields(settings),
    ...extraBody,
  };
}

function streamFields({ stream, streamUsage }: ResolvedSettings): JsonObject {
  if (!stream) return {};
  return streamUsage ? { stream, stream_options: { include_usage: true } } : { stream };
}

const SAMPLING_FIELDS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  seed: 'seed',
  stop: 'stop',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  repetitionPenalty: 'repetition_penalty',
} as const satisfies Record<Exclude<keyof Sampling, 'maxTokens'>, string>;

function wireSampling({ maxTokensField }: ResolvedSettings, sampling: Sampling): JsonObject {
  const body: Record<string, JsonValue> = {};
  const names: Readonly<Record<string, string>> = { ...SAMPLING_FIELDS, maxTokens: maxTokensField };
  for (const [name, value] of Object.entries(sampling)) {
    const wireName = names[name];
    if (wireName !== undefined && value !== undefined) body[wireName] = value;
  }
  return body;
}

function wireToolChoice(choice: NonNullable<ChatRequest['toolChoice']>): JsonValue {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.name } };
}

function wireTool(tool: ToolSchema): JsonObject {
  return { type: tool.type, function: { ...tool.function } };
}

/** Our messages have OpenAI's shape; only the reasoning is named differently from server to server. */
function wireMessage({ reasoningField }: ResolvedSettings, message: Message): JsonObject {
  if (message.role !== 'assistant' || message.reasoning_content === undefined)
    return { ...message };
  const { reasoning_content: reasoning, ...rest } = message;
  return reasoningField === null ? rest : { ...rest, [reasoningField]: reasoning };
}
