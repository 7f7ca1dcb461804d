import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonValue } from '@hermes/protocol';
import { completionBody } from './completion-body.ts';
import { completionChunks, faultyChunk } from './completion-chunks.ts';
import { completionShape } from './completion-shape.ts';
import {
  chunksBeforeFault,
  type FakeAnswer,
  type FakeCompletion,
  type FakeHttpAnswer,
  isHttpAnswer,
} from './fake-answer.ts';
import type { RequestRecord } from './fake-request.ts';

/** Sends an answer, with its fault. Ends when it is sent, broken, or when the client is gone. */
export async function playAnswer(given: FakeAnswer, record: RequestRecord): Promise<void> {
  const answer = typeof given === 'string' ? { content: given } : given;
  if (!(await wait(answer.delayMs, record))) return;
  if (isHttpAnswer(answer)) sendHttp(answer, record);
  else if (answer.fault === 'reset') breakConnection(record);
  else if (answer.fault === 'hang') await standStill(record);
  else if (record.body.stream === true) await sendStream(answer, record);
  else await sendWhole(answer, record);
}

function sendHttp(answer: FakeHttpAnswer, { response }: RequestRecord): void {
  const type = typeof answer.body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
  response.end(textOf(answer.body));
}

async function sendWhole(answer: FakeCompletion, record: RequestRecord): Promise<void> {
  const { response } = record;
  const body = completionBody(answer, completionShape(answer, record.number, record.body));
  response.writeHead(200, { 'content-type': 'application/json', ...answer.headers });
  if (!isBrokenInside(answer)) {
    response.end(body);
    return;
  }
  response.write(body.slice(0, body.length / 2));
  await breakInside(answer, record);
}

async function sendStream(answer: FakeCompletion, record: RequestRecord): Promise<void> {
  record.response.writeHead(200, { 'content-type': 'text/event-stream', ...answer.headers });
  const chunks = completionChunks(answer, shapeOf(answer, record), wantsUsage(record));
  const broken = faultyChunk(answer);
  for (const [position, chunk] of chunks.entries()) {
    if (!(await wait(answer.everyMs, record))) return;
    if (position === chunksBeforeFault(answer)) {
      if (isBrokenInside(answer)) return breakInside(answer, record);
      if (broken !== null) await sendChunk(broken, record);
    }
    await sendChunk(chunk, record);
  }
  if (isBrokenInside(answer)) await breakInside(answer, record);
  else record.response.end();
}

function shapeOf(
  answer: FakeCompletion,
  record: RequestRecord,
): ReturnType<typeof completionShape> {
  return completionShape(answer, record.number, record.body);
}

function wantsUsage({ body }: RequestRecord): boolean {
  const options = body.stream_options;
  return (
    typeof options === 'object' &&
    options !== null &&
    Reflect.get(options, 'include_usage') === true
  );
}

/** Waits where the client does not keep up, as a model server does. */
async function sendChunk(data: string, record: RequestRecord): Promise<void> {
  const { gone, response } = record;
  if (gone.aborted) return;
  record.chunksSent += 1;
  if (response.write(`data: ${data}\n\n`)) return;
  await once(response, 'drain', { signal: gone }).catch(ignoreGone);
}

function isBrokenInside({ fault }: FakeCompletion): boolean {
  return fault === 'cut' || fault === 'end_early' || fault === 'stall';
}

async function breakInside({ fault }: FakeCompletion, record: RequestRecord): Promise<void> {
  if (fault === 'stall') return standStill(record);
  if (fault === 'cut') return breakConnection(record);
  record.state = 'broken';
  record.response.end();
}

/** What was written before is on its way first: a turn of the event loop gives it the chance. */
function breakConnection(record: RequestRecord): void {
  record.state = 'broken';
  setImmediate(() => record.response.socket?.resetAndDestroy());
}

async function standStill(record: RequestRecord): Promise<void> {
  record.tellStandstill();
  await record.ended;
}

/** False: the client is gone. */
async function wait(ms: number | undefined, { gone }: RequestRecord): Promise<boolean> {
  if (ms !== undefined) await sleep(ms, undefined, { signal: gone }).catch(ignoreGone);
  return !gone.aborted;
}

function ignoreGone(): void {
  // The wait ended because the client is gone; whoever waited looks at `gone` next.
}

function textOf(body: JsonValue): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
