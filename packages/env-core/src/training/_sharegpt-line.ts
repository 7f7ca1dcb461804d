import type { AssistantMessage, JsonValue, Message, ToolCall, ToolMessage } from '@hermes/protocol';
import type { FinishedGroup } from '../process-rules.ts';
import { originOf, textContent, toolsText } from './_line-parts.ts';
import type { TrainingLine } from './training-format.ts';

type Turn = Readonly<{ from: 'system' | 'human' | 'gpt' | 'tool'; value: string }>;

/** One line a trajectory as turns of `from` and `value`, with calls, results and reasoning in the tags of the Hermes format. */
export function sharegptLines(group: FinishedGroup): readonly TrainingLine[] {
  return group.members.map(({ record, tools }) => ({
    id: record.rolloutId,
    itemId: group.itemId,
    value: {
      id: record.rolloutId,
      ...originOf(group, record),
      conversations: turnsOf(record.agent?.messages ?? []),
      tools: toolsText(tools),
    },
    rewards: { key: 'reward', value: record.reward.reward },
  }));
}

/** Results that follow each other are one turn: the format alternates between model and world. */
function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const names = new Map<string, string>();
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turnOf(message, names);
    const last = turns.at(-1);
    if (turn.from === 'tool' && last?.from === 'tool')
      turns[turns.length - 1] = { from: 'tool', value: `${last.value}\n${turn.value}` };
    else turns.push(turn);
  }
  return turns;
}

function turnOf(message: Message, names: Map<string, string>): Turn {
  if (message.role === 'assistant') return { from: 'gpt', value: answerText(message, names) };
  if (message.role === 'tool') return { from: 'tool', value: resultText(message, names) };
  const from = message.role === 'user' ? 'human' : 'system';
  return { from, value: shownContent(message) };
}

function answerText(message: AssistantMessage, names: Map<string, string>): string {
  const { reasoning_content: reasoning, tool_calls: calls = [] } = message;
  for (const call of calls) names.set(call.id, call.function.name);
  const thought = reasoning ? [`<think>\n${reasoning}\n</think>`] : [];
  const content = shownContent(message);
  const said = content === '' ? [] : [content];
  return [...thought, ...said, ...calls.map(callText)].join('\n');
}

function callText({ function: { name, arguments: text } }: ToolCall): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: parsed(text) })}\n</tool_call>`;
}

function resultText(message: ToolMessage, names: ReadonlyMap<string, string>): string {
  const name = names.get(message.tool_call_id) ?? '';
  const content = parsed(shownContent(message));
  return `<tool_response>\n${JSON.stringify({ name, content })}\n</tool_response>`;
}

function shownContent(message: Message): string {
  return textContent(message.content) ?? JSON.stringify(message.content);
}

/** An object where the text is one, else the text itself. */
function parsed(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : text;
  } catch {
    return text; // plain text
  }
}
