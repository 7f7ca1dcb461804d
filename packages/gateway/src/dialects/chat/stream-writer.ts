import type { ChatDelta } from '@hermes/protocol';
import type { AgentCall, AnswerIdentity, StreamWriter } from '../dialect.ts';
import { chatUsage } from './usage.ts';
import { writeError } from './write-error.ts';

/** Chunks of a chat completion. */
export function streamWriter(call: AgentCall, identity: AnswerIdentity): StreamWriter {
  const head = {
    id: identity.id,
    object: 'chat.completion.chunk',
    created: identity.createdAtSeconds,
    model: identity.modelId,
  };
  let isFirst = true;
  const chunk = (delta: object, finishReason: string | null) => {
    const told = isFirst ? { role: 'assistant', ...delta } : delta;
    isFirst = false;
    return event({ ...head, choices: [{ index: 0, delta: told, finish_reason: finishReason }] });
  };
  return {
    push: (delta) => chunk(chunkDelta(delta), null),
    finish({ finishReason, usage }) {
      const counts = event({ ...head, choices: [], usage: chatUsage([usage]) });
      return `${chunk({}, finishReason)}${call.wantsUsage ? counts : ''}data: [DONE]\n\n`;
    },
    fail: (refusal) => event(writeError(refusal)),
  };
}

function chunkDelta(delta: ChatDelta): object {
  switch (delta.type) {
    case 'content_delta':
      return { content: delta.text };
    case 'reasoning_delta':
      return { reasoning_content: delta.text };
    case 'tool_call_start': {
      const { index, id, name } = delta;
      return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    }
    case 'tool_call_delta':
      return { tool_calls: [{ index: delta.index, function: { arguments: delta.arguments } }] };
  }
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
