import type { AssistantMessage, ContentPart, Message } from '@hermes/protocol';
import { argumentsText } from '../arguments.ts';
import { withoutAbsent } from '../without-absent.ts';
import type { AssistantBlock, UserBlock, WireMessage, WireToolUse } from './wire.ts';

/** One message of theirs as ours: results of tools are messages of their own and stand before what the user says with them. */
export function readMessages({ role, content }: WireMessage): readonly Message[] {
  if (typeof content === 'string') return [{ role, content }];
  return role === 'assistant'
    ? [readAssistant(content as readonly AssistantBlock[])]
    : readUser(content as readonly UserBlock[]);
}

function readAssistant(blocks: readonly AssistantBlock[]): AssistantMessage {
  const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [callOf(block)] : []));
  const thoughts = blocks.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []));
  return withoutAbsent({
    role: 'assistant' as const,
    content: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    tool_calls: calls.length === 0 ? undefined : calls,
    reasoning_content: thoughts.length === 0 ? undefined : thoughts.join(''),
  });
}

function callOf({ id, name, input }: WireToolUse) {
  return { id, type: 'function' as const, function: { name, arguments: argumentsText(input) } };
}

function readUser(blocks: readonly UserBlock[]): readonly Message[] {
  const results = blocks.flatMap((block): Message[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: contentOf(block.content ?? '') }]
      : [],
  );
  const said = blocks.filter((block) => block.type !== 'tool_result');
  return said.length === 0 ? results : [...results, { role: 'user', content: contentOf(said) }];
}

type Shown = Exclude<UserBlock, { type: 'tool_result' }>;

/** Texts are one text; with an image the parts stay, for a model that sees. */
function contentOf(content: string | readonly Shown[]): string | readonly ContentPart[] {
  if (typeof content === 'string') return content;
  const parts = content.map(partOf);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('') : parts;
}

function partOf(block: Shown): ContentPart {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const { source } = block;
  const url =
    source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: 'image_url', image_url: { url } };
}
