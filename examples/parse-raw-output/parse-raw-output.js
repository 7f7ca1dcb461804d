import { explainDiagnostic, getParser } from '@hermes/parsers';

/** What a model wrote, as the message of a chat API, and what it must be told of calls that were lost. */
export function toMessage(text, format, tools = []) {
  const { content, reasoning, toolCalls, diagnostics } = getParser(format).parse(text, { tools });
  const lost = diagnostics.filter(({ level }) => level === 'error');
  return {
    message: {
      role: 'assistant',
      content,
      ...(reasoning === null ? {} : { reasoning_content: reasoning }),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    },
    complaints: lost.map((diagnostic) => explainDiagnostic(diagnostic, text)),
  };
}

/** The same while the text still arrives: the deltas that an OpenAI-compatible server sends. */
export async function* toDeltas(chunks, format, tools = []) {
  const stream = getParser(format).stream({ tools, delivery: 'incremental' });
  for await (const chunk of chunks) yield* stream.push(chunk).flatMap(deltaOf);
  yield* stream.finish().events.flatMap(deltaOf);
}

function deltaOf(event) {
  const { type, index } = event;
  if (type === 'content') return [{ content: event.text }];
  if (type === 'reasoning') return [{ reasoning_content: event.text }];
  if (type === 'call_start') {
    const { id, name } = event;
    return [{ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }];
  }
  if (type === 'call_arguments')
    return [{ tool_calls: [{ index, function: { arguments: event.text } }] }];
  return []; // call_end and diagnostics have no delta; after call_abort a client drops the call
}
