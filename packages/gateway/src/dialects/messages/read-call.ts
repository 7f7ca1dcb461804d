import type { ChatRequest, JsonSchema, Message, ToolSchema } from '@hermes/protocol';
import { parse } from '../../http/parse.ts';
import type { AgentCall } from '../dialect.ts';
import { withoutAbsent } from '../without-absent.ts';
import { readMessages } from './read-messages.ts';
import { countBody, messagesBody } from './schema.ts';
import type { MessagesBody, WireTool } from './wire.ts';

/** Throws a Refusal. Keys that do not change the answer (`metadata`, cache marks, ...) are not looked at. */
export function readCall(body: unknown): AgentCall {
  const parsed = parse(messagesBody, body);
  return {
    request: requestOf(parsed),
    count: 1,
    isStream: parsed.stream ?? false,
    wantsUsage: true,
  };
}

/** A request whose tokens are to be counted. Throws a Refusal. */
export function readCountRequest(body: unknown): ChatRequest {
  return requestOf(parse(countBody, body));
}

function requestOf(body: MessagesBody): ChatRequest {
  const tools = body.tools?.map(readTool) ?? [];
  return withoutAbsent({
    messages: [...systemOf(body), ...body.messages.flatMap(readMessages)],
    tools: tools.length === 0 ? undefined : tools,
    toolChoice: readToolChoice(body.tool_choice),
    sampling: withoutAbsent({
      temperature: body.temperature ?? 1,
      topP: body.top_p,
      topK: body.top_k,
      maxTokens: body.max_tokens,
      stop: body.stop_sequences,
    }),
  });
}

function systemOf({ system }: MessagesBody): readonly Message[] {
  if (system === null || system === undefined) return [];
  const content = typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n');
  return [{ role: 'system', content }];
}

function readTool(tool: WireTool): ToolSchema {
  const { name, description, input_schema: schema } = tool;
  const told = withoutAbsent({ name, description, parameters: schema as JsonSchema });
  return { type: 'function', function: told };
}

function readToolChoice(choice: MessagesBody['tool_choice']): ChatRequest['toolChoice'] {
  if (choice === null || choice === undefined) return undefined;
  if (choice.type === 'tool') return { name: choice.name };
  return choice.type === 'any' ? 'required' : choice.type;
}
