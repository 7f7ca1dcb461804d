import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FakeAnswer, FakeHttpAnswer } from './fake-answer.ts';
import type { FakeRequest, RequestRecord } from './fake-request.ts';
import { refusal, unknownModel, wrongKey } from './http-answers.ts';
import { scriptOver } from './per-conversation.ts';
import { playAnswer } from './play-answer.ts';
import { readBody } from './read-request.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';

/** What the fake server plays. */
export type FakeServerScript = Readonly<{
  /** A list is played in order of arrival, whoever asks; a function decides by the request. */
  answers: readonly FakeAnswer[] | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>);
  /** Absent: any key will do. Else a request without it gets a 401. */
  apiKey?: string;
  /** Absent: any model will do. Else a request for another one gets a 404. */
  models?: readonly string[];
  /** Default: any free port. */
  port?: number;
}>;

/** A server that is running. */
export interface FakeOpenAiServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** The chat requests so far, in order of arrival. */
  readonly requests: readonly FakeRequest[];
  /** The next chat request that arrives. */
  nextRequest(): Promise<FakeRequest>;
  /** Breaks off what is still being answered. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts an OpenAI-compatible server on 127.0.0.1 that answers by a script. Whoever starts it closes it. */
export async function startFakeOpenAiServer(script: FakeServerScript): Promise<FakeOpenAiServer> {
  const log = createRequestLog();
  const server = createServer((request, response) => {
    serve(script, log, request, response).catch((error: unknown) => fail(response, error));
  });
  const port = await listen(server, script.port ?? 0);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: log.requests,
    nextRequest: log.next,
    close: () => close(server),
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function serve(
  script: FakeServerScript,
  log: RequestLog,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url ?? '/';
  if (!path.endsWith('/chat/completions')) return serveOther(script, path, response);
  const body = await readBody(request);
  const record = log.add({ path, headers: request.headers, body }, response);
  await playAnswer(refused(script, record) ?? (await answerTo(script, record)), record);
}

/** What every server of the kind has beside the chat. */
function serveOther(script: FakeServerScript, path: string, response: ServerResponse): void {
  const data = (script.models ?? ['fake']).map((id) => ({ id, object: 'model' }));
  const found = path.endsWith('/models') || path === '/health';
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ? { object: 'list', data } : { detail: 'Not Found' }));
}

function refused(script: FakeServerScript, { body, headers }: FakeRequest): FakeHttpAnswer | null {
  const key = headers.authorization?.replace('Bearer ', '');
  if (script.apiKey !== undefined && key !== script.apiKey) return wrongKey(key);
  const model = String(body.model);
  return script.models === undefined || script.models.includes(model) ? null : unknownModel(model);
}

async function answerTo({ answers }: FakeServerScript, record: RequestRecord): Promise<FakeAnswer> {
  if (typeof answers === 'function') return answers(record);
  return answers[record.number - 1] ?? scriptOver(answers.length, record.number);
}

/** A script that throws must not bring the test down: its request gets a 500 that says so. */
function fail(response: ServerResponse, error: unknown): void {
  const { status, body } = refusal(500, `The script failed: ${String(error)}`, 'script_failed');
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Closing twice, or before it listened, is no error. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
