import { nativeIds } from '../_core/extensions/native-ids.ts';
import type { BlockReader, OpenBlock } from '../_core/format.ts';
import { identifiedEnvelope } from '../_core/json-calls/identified-envelope.ts';
import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

const open = '<|START_ACTION|>';
const close = '<|END_ACTION|>';

/** Cohere Command R7B and A: tokens around reasoning, answer and calls; calls bring their ids. */
export const cohereCommand3Parser: ToolCallParser = markedJsonParser({
  name: 'cohere_command3',
  reasoning: [['<|START_THINKING|>', '<|END_THINKING|>']],
  cut: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<co>', '</co>'],
  endOfTurn: ['<|END_OF_TURN_TOKEN|>'],
  opens: [open],
  close,
  candidates: { '<co:': citation, '</co:': citation },
  envelope: identifiedEnvelope({
    name: ['tool_name'],
    arguments: ['parameters', 'arguments'],
    id: 'tool_call_id',
  }),
  readId: (id) => (id.trim() === '' || id === 'null' ? null : id),
  machine: nativeIds(),
  writeCall({ id, function: { name, arguments: text } }, index) {
    return `{"tool_call_id": ${JSON.stringify(id || String(index))}, "tool_name": ${JSON.stringify(name)}, "parameters": ${text}}`;
  },
  writeBlocks: (calls) => [`${open}[\n    ${calls.join(',\n    ')}\n]${close}`],
});

/** A tag that names the sources of a span: `<co: 0>`, `</co: 0:[1,2],1:[0]>`. */
function citation(...[machine, start, marker]: Parameters<OpenBlock>): BlockReader {
  const cut = (): void => machine.textBlock(start, marker);
  const step = (): 'more' | 'again' => {
    while (isSource(machine.text.charCodeAt(machine.pos))) machine.pos += 1;
    if (machine.pos >= machine.text.length) return 'more';
    if (machine.character === '>') {
      machine.pos += 1;
      machine.content.endOfTurn();
      machine.endBlock();
    } else cut();
    return 'again';
  };
  return { step, cut };
}

/** Digits, `:`, `[`, `]`, `,` and spaces. */
function isSource(code: number): boolean {
  return (code >= 48 && code <= 58) || code === 91 || code === 93 || code === 44 || code === 32;
}
