import type { ChatResult, FinishReason, Usage } from '@hermes/protocol';
import { Refusal } from '../../http/refusal.ts';
import { argumentsObject } from '../arguments.ts';
import type { AnswerIdentity } from '../dialect.ts';
import { textOf } from '../text-of.ts';

/** A message in Anthropic's form. */
export function writeAnswer([result]: readonly ChatResult[], identity: AnswerIdentity): object {
  if (result === undefined) throw new Refusal(502, 'bad_response', 'The model gave no answer.');
  return {
    ...writeHead(identity),
    content: contentOf(result),
    stop_reason: stopReason(result.finishReason),
    stop_sequence: null,
    usage: writeUsage(result.usage),
  };
}

/** What a message says of itself. */
export function writeHead({ id, modelId }: AnswerIdentity): object {
  return { id, type: 'message', role: 'assistant', model: modelId };
}

function contentOf({ message }: ChatResult): readonly object[] {
  const { reasoning_content: thought, tool_calls: calls = [] } = message;
  const text = textOf(message);
  return [
    ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: '' }]),
    ...(text === '' && calls.length > 0 ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, function: { name, arguments: given } }) => ({
      type: 'tool_use',
      id,
      name,
      input: argumentsObject(given),
    })),
  ];
}

const STOP_REASONS: Readonly<Partial<Record<FinishReason, string>>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

/** What their API has no word for keeps ours. */
export function stopReason(reason: FinishReason): string {
  return STOP_REASONS[reason] ?? reason;
}

/** Their clients add these up: what an engine did not say is left out and not 0. */
export function writeUsage({ inputTokens, outputTokens, cachedTokens }: Usage): object {
  return {
    ...(inputTokens !== null && { input_tokens: inputTokens - (cachedTokens ?? 0) }),
    ...(outputTokens !== null && { output_tokens: outputTokens }),
    ...(cachedTokens !== null && { cache_read_input_tokens: cachedTokens }),
  };
}
