import { answerTags } from '../_core/extensions/answer-tags.ts';
import type { OpenBlock } from '../_core/format.ts';
import { markedJsonParser } from '../_core/json-calls/marked-json.ts';
import type { ToolCallParser } from '../types.ts';

/** The name of the role, which some servers leave at the start of an answer. */
const rolePrefix: OpenBlock = (machine) => {
  if (!machine.isAtContentStart) return null;
  const end = (): void => machine.endBlock();
  const step = (): 'again' => {
    end();
    return 'again';
  };
  return { step, cut: end };
};

/** Hunyuan A13B: a list between `<tool_calls>` tags; the answer may stand in `<answer>`. */
export const hunyuanA13bParser: ToolCallParser = markedJsonParser({
  name: 'hunyuan_a13b',
  reasoning: [['<think>', '</think>']],
  machine: answerTags('<answer>', '</answer>'),
  cut: ['<answer>', '</answer>'],
  endOfTurn: ['<|eos|>'],
  opens: ['<tool_calls>'],
  close: '</tool_calls>',
  candidates: { '助手：': rolePrefix },
  writeBlocks: (calls) => [`<tool_calls>[${calls.join(', ')}]</tool_calls>`],
});
