import type { Message, RenderRequest, ToolSchema } from '@hermes/protocol';
import { fromJson, parseJsonText } from '../template/from-json.ts';
import { failure, refused } from '../template/template-failure.ts';
import { Dictionary, type Value } from '../template/values.ts';

/** What a template is given. */
export type ChatVariables = Readonly<{
  variables: ReadonlyMap<string, Value>;
  /** The messages as values, in their order. */
  messages: readonly Value[];
}>;

/** The variables of a template, as transformers gives them. `named`: the special tokens by their roles. */
export function chatVariables(
  request: RenderRequest,
  named: ReadonlyMap<string, string>,
): ChatVariables {
  if (request.messages.length === 0) throw failure('the conversation has no messages');
  const messages = request.messages.map(messageValue);
  const variables = new Map<string, Value>([
    ...named,
    ...Object.entries(request.arguments ?? {}).map(argument),
    ['messages', messages],
    ['tools', toolsValue(request.tools)],
    ['documents', fromJson(request.arguments?.documents ?? null)],
    ['add_generation_prompt', request.generationPrompt],
  ]);
  return { variables, messages };
}

/** Names that mean something to `apply_chat_template` itself, and would not reach the template. */
const RESERVED = new Set([
  'chat_template',
  'continue_final_message',
  'conversation',
  'sanitize_control_tokens',
  'tokenize',
]);

function argument([name, value]: [string, unknown]): [string, Value] {
  if (RESERVED.has(name)) throw refused(`the template argument "${name}"`);
  return [name, fromJson(value)];
}

function toolsValue(tools: readonly ToolSchema[] | undefined): Value {
  return tools === undefined ? null : tools.map(fromJson);
}

/** Without what is null, with the reasoning under all its names, and with the arguments of calls as objects. */
function messageValue(message: Message): Value {
  const entries = Object.entries(message).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const reasoning = ['reasoning_content', 'thinking', 'reasoning']
    .map((name) => entries.find(([key]) => key === name)?.[1])
    .find((value) => value !== undefined);
  const values = new Dictionary(
    entries.map(([key, value]) => [
      key,
      key === 'tool_calls' ? callsValue(value) : fromJson(value),
    ]),
  );
  return reasoning === undefined ? values : withReasoning(values, fromJson(reasoning));
}

function withReasoning(values: Dictionary, reasoning: Value): Dictionary {
  const all = new Dictionary([['thinking', reasoning], ...values.entries()]);
  all.set('reasoning_content', reasoning);
  return all;
}

function callsValue(calls: unknown): Value {
  if (!Array.isArray(calls)) return fromJson(calls);
  return calls.map((call: unknown) => {
    const value = fromJson(call);
    const called = value instanceof Dictionary ? value.get('function') : undefined;
    if (!(called instanceof Dictionary)) return value;
    const args = called.get('arguments');
    if (typeof args === 'string') called.set('arguments', argumentsValue(args));
    return value;
  });
}

/** Templates expect an object; text that is none, also when it was encoded twice, stays the text. */
function argumentsValue(text: string): Value {
  let current = text;
  for (let depth = 0; depth < 3; depth += 1) {
    const value = parseJsonText(current)?.value;
    if (value instanceof Dictionary) return value;
    if (typeof value !== 'string') return text;
    current = value;
  }
  return text;
}
