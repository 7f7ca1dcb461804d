import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ChatEvent, ModelCallContext } from '@hermes/protocol';
import type { Dialect, StreamWriter } from '../dialects/dialect.ts';
import { Refusal } from '../http/refusal.ts';
import { refusalOf } from '../http/refusal-of.ts';
import type { AskedCall } from './answer-call.ts';

/** Passes an answer on as it comes. What fails before its first piece is an answer with a status of its own. */
export async function streamAnswer(
  dialect: Dialect,
  response: ServerResponse,
  { session, call, identity }: AskedCall,
  context: ModelCallContext,
): Promise<void> {
  const writer = dialect.stream(call, identity);
  try {
    for await (const event of session.model.chat(call.request, context)) {
      if (event.type === 'result') session.note([event.result]);
      await send(response, textOf(event, writer, response.headersSent), context.signal);
    }
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    const { reason } = context.signal;
    response.end(writer.fail(refusalOf(reason instanceof Refusal ? reason : error)));
  }
}

function textOf(event: ChatEvent, writer: StreamWriter, hasBegun: boolean): string {
  if (event.type === 'result') return writer.finish(event.result);
  if (event.type === 'attempt_end') return '';
  if (event.type !== 'attempt_start') return writer.push(event);
  if (!hasBegun) return '';
  const message = 'The engine failed in the middle of the answer: ask again. Nothing was recorded.';
  throw new Refusal(502, 'stream_cut', message);
}

/** Waits while the agent reads slower than the model writes. */
async function send(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (text === '') return;
  if (!response.headersSent)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
  if (!response.write(text)) await once(response, 'drain', { signal });
}
