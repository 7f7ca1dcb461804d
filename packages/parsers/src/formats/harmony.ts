import { createParser } from '../_core/create-parser.ts';
import { firstContent } from '../_core/extensions/first-content.ts';
import { messageBlock, messageStart } from '../_core/json-calls/message-block.ts';
import { messageOpens, messageStrays } from '../_core/json-calls/message-tokens.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

/** GPT-OSS: messages on channels; one that names a recipient is a call. */
export const harmonyParser: ToolCallParser = createParser({
  name: 'harmony',
  aliases: ['gpt_oss', 'openai'],
  blocks: Object.fromEntries(messageOpens.map((token) => [token, messageBlock])),
  machine: firstContent(messageStart),
  signs: ['to='],
  closers: messageStrays,
  render,
});

function render({ content, reasoning, toolCalls }: RenderableMessage): string {
  const isFinal = toolCalls.length === 0;
  const messages = [
    ...(reasoning === null ? [] : [`<|channel|>analysis<|message|>${reasoning}<|end|>`]),
    ...(content === null ? [] : [renderContent(content, isFinal)]),
    ...toolCalls.map(renderCall),
  ];
  return messages.join('<|start|>assistant');
}

function renderContent(content: string, isFinal: boolean): string {
  return isFinal
    ? `<|channel|>final<|message|>${content}<|return|>`
    : `<|channel|>commentary<|message|>${content}<|end|>`;
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  return `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${text}<|call|>`;
}
