import type { RenderableMessage, ToolCall, ToolCallParser } from '../../types.ts';
import { createParser } from '../create-parser.ts';
import { compactJson, joinBlocks, renderParameters, renderReasoning } from '../render/render.ts';
import { attributesOf } from './tag-header.ts';
import { taggedCallBlocks } from './tagged-call.ts';
import type { Header } from './tagged-call-grammar.ts';

const blockNames = ['function_calls', 'tool_calls', 'toolcalls'];
const thinking = ['<think>', '</think>'] as const;

/** A DeepSeek format with DSML tags. All block names are read; this one is written. */
export function dsmlParser(name: string, blockName: string): ToolCallParser {
  const closes = blockNames.map((block) => `</｜DSML｜${block}>`);
  return createParser({
    name,
    reasoning: [thinking],
    endOfTurn: ['<｜end▁of▁sentence｜>'],
    blocks: taggedCallBlocks({
      block: { opens: blockNames.map((block) => `<｜DSML｜${block}>`), closes },
      withoutBlock: 'missing_wrapper',
      call: { open: '<｜DSML｜invoke', end: '>', close: '</｜DSML｜invoke>' },
      otherCalls: [{ open: '<｜DSML｜tool ', close: '</｜DSML｜tool>' }],
      parameter: { open: '<｜DSML｜parameter', end: '>', close: '</｜DSML｜parameter>' },
      readHeader,
      unwrapsJson: true,
    }),
    closers: [...closes, '</｜DSML｜invoke>', '</｜DSML｜tool>', '</｜DSML｜parameter>'],
    spell: compactJson,
    render: (message) => render(message, blockName),
  });
}

/** `string` is `true` for raw text and `false` for JSON; without it the schema decides. */
function readHeader(text: string): Header | null {
  const attributes = attributesOf(text);
  const name = attributes?.get('name');
  if (name === undefined) return null;
  const isString = attributes?.get('string');
  return { name, ownType: isString === undefined ? null : isString === 'true' ? 'string' : 'json' };
}

function render(message: RenderableMessage, blockName: string): string {
  const calls = message.toolCalls.map(renderCall).join('');
  const block = `<｜DSML｜${blockName}>\n${calls}</｜DSML｜${blockName}>`;
  const reasoning = renderReasoning(message, thinking, '');
  return reasoning + joinBlocks(message.content, calls === '' ? [] : [block], '\n\n');
}

function renderCall({ function: { name, arguments: text } }: ToolCall): string {
  const parameters = renderParameters(
    text,
    (key, value, isString) =>
      `<｜DSML｜parameter name="${key}" string="${isString}">${value}</｜DSML｜parameter>\n`,
    /｜DSML｜/,
    true,
  );
  return `<｜DSML｜invoke name="${name}">\n${parameters}</｜DSML｜invoke>\n`;
}
