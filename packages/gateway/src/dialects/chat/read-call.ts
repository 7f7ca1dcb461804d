import type { ChatRequest, JsonObject, JsonSchema, Sampling, ToolSchema } from '@hermes/protocol';
import { parse } from '../../http/parse.ts';
import { Refusal } from '../../http/refusal.ts';
import type { AgentCall } from '../dialect.ts';
import { withoutAbsent } from '../without-absent.ts';
import { readMessage } from './read-message.ts';
import { chatBody } from './schema.ts';
import type { ChatBody, WireTool } from './wire.ts';

/** Keys that would change the answer and that a model in token space has no way to honour: refused, never left out. */
const UNSUPPORTED = [
  'audio',
  'function_call',
  'functions',
  'guided_json',
  'guided_regex',
  'logit_bias',
  'logprobs',
  'modalities',
  'prediction',
  'top_logprobs',
  'web_search_options',
] as const;

/** Throws a Refusal. Keys that do not change the answer (`user`, `metadata`, ...) are not looked at. */
export function readCall(body: unknown): AgentCall {
  refuseUnsupported(body);
  const parsed = parse(chatBody, body);
  return {
    request: requestOf(parsed),
    count: parsed.n ?? 1,
    isStream: parsed.stream ?? false,
    wantsUsage: parsed.stream_options?.include_usage ?? false,
  };
}

function refuseUnsupported(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const given = { ...body } as Readonly<Record<string, unknown>> & {
    readonly response_format?: unknown;
  };
  const key = UNSUPPORTED.find(
    (name) => given[name] !== undefined && given[name] !== null && given[name] !== false,
  );
  if (key !== undefined) throw unsupported(key);
  const format = given.response_format as { readonly type?: unknown } | null | undefined;
  if (format && format.type !== 'text') throw unsupported('response_format');
}

function unsupported(key: string): Refusal {
  const message = `${key} is not supported here: leave it out. Tokens and log-probs are on the session's nodes.`;
  return new Refusal(400, 'unsupported_parameter', message);
}

function requestOf(body: ChatBody): ChatRequest {
  const tools = body.tools?.map(readTool) ?? [];
  const toolChoice = body.tool_choice;
  return withoutAbsent({
    messages: body.messages.map(readMessage),
    tools: tools.length === 0 ? undefined : tools,
    toolChoice: typeof toolChoice === 'object' && toolChoice ? toolChoice.function : toolChoice,
    sampling: samplingOf(body),
    templateArguments: body.chat_template_kwargs as JsonObject | null | undefined,
  });
}

function readTool({ function: { name, description, parameters } }: WireTool): ToolSchema {
  const told = withoutAbsent({
    name,
    description,
    parameters: parameters as JsonSchema | null | undefined,
  });
  return { type: 'function', function: told };
}

/** A temperature of 1 where none is said, as in OpenAI's API: an engine's own default would train on other samples than it says. */
function samplingOf(body: ChatBody): Sampling {
  return withoutAbsent({
    temperature: body.temperature ?? 1,
    topP: body.top_p,
    topK: body.top_k,
    minP: body.min_p,
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    seed: body.seed,
    stop: typeof body.stop === 'string' ? [body.stop] : body.stop,
    frequencyPenalty: body.frequency_penalty,
    presencePenalty: body.presence_penalty,
    repetitionPenalty: body.repetition_penalty,
  });
}
