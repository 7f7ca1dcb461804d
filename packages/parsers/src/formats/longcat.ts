import { createParser } from '../_core/create-parser.ts';
import { bareEnvelope } from '../_core/json-calls/bare-envelope.ts';
import { eitherBlock } from '../_core/json-calls/either-block.ts';
import { jsonBlock } from '../_core/json-calls/json-block.ts';
import { renderTaggedJson } from '../_core/render/render.ts';
import { keyValueBlock } from '../_core/text-calls/key-value-call.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<longcat_tool_call>';
const close = '</longcat_tool_call>';

/** LongCat-Flash: JSON between tags, or a name and pairs of key and value tags. */
export const longcatParser: ToolCallParser = createParser({
  name: 'longcat',
  reasoning: [['<think>', '</think>']],
  endOfTurn: ['<|im_end|>', '<|endoftext|>'],
  blocks: {
    [open]: eitherBlock(
      jsonBlock({ closers: [close], openers: [open] }),
      keyValueBlock({
        open,
        close,
        key: ['<longcat_arg_key>', '</longcat_arg_key>'],
        value: ['<longcat_arg_value>', '</longcat_arg_value>'],
      }),
    ),
  },
  candidates: { '{': bareEnvelope(close) },
  closers: [close],
  render: (message) => renderTaggedJson(message, open, close),
});
