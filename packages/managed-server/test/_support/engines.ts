import { readFile } from 'node:fs/promises';
import type { GenerateRequest, TokenEngine, TokenEvent } from '@hermes/protocol';
import { onTestFinished } from 'vitest';
import { openTokenEngine, type TokenEngineSettings } from '../../src/index.ts';
import {
  type FakeEngineAnswer,
  type FakeEngineRequest,
  type FakeEngineServer,
  startFakeEngineServer,
} from '../../src/testing/index.ts';
import { context } from './session.ts';

/** The prompt of the recorded requests. */
export const PROMPT: readonly number[] = [1, 68, 69, 70, 2];

export type Step = Readonly<{
  request: Readonly<{ method: string; path: string; body?: Readonly<Record<string, unknown>> }>;
  response: Readonly<{ status: number; body?: unknown; events?: readonly unknown[] }>;
  note?: string;
}>;

/** Requests and answers of a real server, as they were recorded. */
export async function transcript(name: string): Promise<readonly Step[]> {
  const file = new URL(`../fixtures/transcripts/${name}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')).steps;
}

/** A recorded answer, to be given again. */
export function recorded({ response: { body, events, status } }: Step): FakeEngineAnswer {
  if (events === undefined) return { status, body };
  return { events: events.filter((event) => typeof event !== 'string') };
}

export type Served = Readonly<{
  engine: TokenEngine;
  server: FakeEngineServer;
  /** The questions that came in; what is asked at the start is left out. */
  asked: () => readonly FakeEngineRequest[];
}>;

/** An engine over a server that answers so; both are closed after the test. */
export async function serve(
  settings: Partial<TokenEngineSettings>,
  answer: (request: FakeEngineRequest) => FakeEngineAnswer | undefined,
): Promise<Served> {
  const server = await startFakeEngineServer((request) =>
    request.path === '/v1/models' ? { body: { data: [] } } : answer(request),
  );
  onTestFinished(() => server.close());
  const { engine } = await openTokenEngine(
    { baseUrl: server.url, model: 'tiny', retryDelayMs: 0, maxAttempts: 1, ...settings },
    { probe: false },
  );
  onTestFinished(() => engine.close?.());
  const asked = () => server.requests.filter(({ path }) => path !== '/v1/models');
  return { engine, server, asked };
}

/** The events of one question. */
export async function eventsOf(
  engine: TokenEngine,
  request: Partial<GenerateRequest> = {},
  signal: AbortSignal = context.signal,
): Promise<TokenEvent[]> {
  const events: TokenEvent[] = [];
  const full = { ids: PROMPT, n: 1, sampling: {}, ...request };
  for await (const event of engine.generate(full, { ...context, signal })) events.push(event);
  return events;
}

/** The result of one question. */
export async function resultOf(
  engine: TokenEngine,
  request: Partial<GenerateRequest> = {},
): Promise<Extract<TokenEvent, { type: 'result' }>> {
  const last = (await eventsOf(engine, request)).at(-1);
  if (last?.type !== 'result') throw new Error('the last event is no result');
  return last;
}
