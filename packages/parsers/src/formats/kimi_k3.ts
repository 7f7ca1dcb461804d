import { createParser } from '../_core/create-parser.ts';
import {
  compactJson,
  joinBlocks,
  renderParameters,
  type WriteParameter,
} from '../_core/render/render.ts';
import { kindOf } from '../_core/text-calls/coerce.ts';
import { attributesOf } from '../_core/text-calls/tag-header.ts';
import { taggedCallBlocks } from '../_core/text-calls/tagged-call.ts';
import type { Header } from '../_core/text-calls/tagged-call-grammar.ts';
import type { RenderableMessage, ToolCall, ToolCallParser } from '../types.ts';

const open = (text: string): string => `<|open|>${text}<|sep|>`;
const close = (text: string): string => `<|close|>${text}<|sep|>`;

/** Kimi K3: channels for reasoning, answer and calls; arguments that say their type. */
export const kimiK3Parser: ToolCallParser = createParser({
  name: 'kimi_k3',
  reasoning: [[open('think'), close('think')]],
  endOfTurn: [close('message'), '<|im_end|>'],
  cut: [open('response'), close('response')],
  blocks: taggedCallBlocks({
    block: { opens: [open('tools')], closes: [close('tools')] },
    withoutBlock: 'missing_wrapper',
    call: { open: '<|open|>call', end: '<|sep|>', close: close('call') },
    parameter: { open: '<|open|>argument', end: '<|sep|>', close: close('argument') },
    readHeader,
    notInHeader: ['<|open|>', '<|close|>'],
  }),
  closers: [close('tools'), close('call'), close('argument')],
  spell: compactJson,
  render,
});

/** `tool="NAME" index="1"` or `key="KEY" type="string"`; without a type the schema decides. */
function readHeader(text: string): Header | null {
  const attributes = attributesOf(text);
  const name = attributes?.get('tool') ?? attributes?.get('key');
  if (name === undefined) return null;
  const type = attributes?.get('type');
  const ownType = type === undefined ? null : type === 'string' ? 'string' : 'json';
  return { name: name.replaceAll('&quot;', '"').replaceAll('&amp;', '&'), ownType };
}

function render({ content, reasoning, toolCalls }: RenderableMessage): string {
  const thinking = reasoning === null ? '' : open('think') + reasoning + close('think');
  const answer = content === null ? '' : open('response') + content + close('response');
  const calls = toolCalls.map(renderCall).join('');
  const blocks = calls === '' ? [] : [open('tools') + calls + close('tools')];
  return thinking + joinBlocks(answer, blocks, '');
}

function renderCall({ function: { name, arguments: text } }: ToolCall, index: number): string {
  const write: WriteParameter = (key, value, isString) => {
    const type = isString ? 'string' : typeOf(value);
    return open(`argument key="${escapeQuotes(key)}" type="${type}"`) + value + close('argument');
  };
  const parameters = renderParameters(text, write, /<\|(?:open|close)\|>/, true);
  const header = `call tool="${escapeQuotes(name)}" index="${index + 1}"`;
  return open(header) + parameters + close('call');
}

/** The type of a JSON value; `json` for a string that raw text cannot carry. */
function typeOf(value: string): string {
  return value.startsWith('"') ? 'json' : kindOf(value);
}

function escapeQuotes(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
