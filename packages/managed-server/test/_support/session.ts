import { hermesParser } from '@hermes/parsers/hermes';
import type {
  ChatEvent,
  ChatModel,
  ChatRequest,
  ChatResult,
  Message,
  ModelCallContext,
  TokenSegment,
  ToolSchema,
} from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import { expect } from 'vitest';
import {
  createManagedServer,
  type ManagedServerOptions,
  type ManagedSession,
} from '../../src/index.ts';
import {
  type EngineScript,
  type ScriptedEngine,
  type ScriptedEngineOptions,
  scriptedTokenEngine,
} from '../../src/testing/index.ts';
import { smallTokenizer } from './small-tokenizer.ts';

export const WEATHER: ToolSchema = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

export const context: ModelCallContext = {
  signal: new AbortController().signal,
  rolloutId: 'rollout-1',
  invocationId: 'root',
  turn: 1,
  purpose: 'policy',
  split: 'train',
};

export type Opened = Readonly<{ engine: ScriptedEngine; session: ManagedSession }>;

const TOKENIZER = smallTokenizer();

/** A session over a scripted engine and a small tokenizer. */
export async function openSession(
  script: EngineScript,
  given: Partial<ManagedServerOptions> & Partial<ScriptedEngineOptions> = {},
): Promise<Opened> {
  const tokenizer = given.tokenizer ?? TOKENIZER;
  const engine = scriptedTokenEngine(script, { ...given, tokenizer });
  const server = await createManagedServer({
    parser: hermesParser,
    effects: testEffects(),
    ...given,
    engine,
    tokenizer,
  });
  return { engine, session: server.openSession('rollout-1') };
}

/** Asks, and checks what holds for every answer: the recorded tokens are those that were sent and sampled. */
export async function ask(
  { engine, session }: Opened,
  messages: readonly Message[],
  request: Partial<ChatRequest> = {},
  given: Partial<ModelCallContext> = {},
): Promise<ChatResult> {
  const full: ChatRequest = { messages, sampling: {}, ...request };
  const result = await resultOf(session, full, { ...context, ...given });
  const sent = engine.questions.at(-1)?.ids ?? [];
  const { tokens } = result;
  if (tokens !== null) {
    const segment = session.segments()[tokens.segment];
    expect(segment?.ids.slice(0, tokens.promptEnd)).toEqual(sent);
    expectSound(session.segments());
  }
  return result;
}

export async function resultOf(
  model: ChatModel,
  request: ChatRequest,
  given: ModelCallContext = context,
): Promise<ChatResult> {
  const events = await eventsOf(model, request, given);
  const last = events.at(-1);
  if (last?.type !== 'result') throw new Error('the last event is no result');
  return last.result;
}

export async function eventsOf(
  model: ChatModel,
  request: ChatRequest,
  given: ModelCallContext = context,
): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of model.chat(request, given)) events.push(event);
  return events;
}

/** What is true of every segment, whatever happened. */
export function expectSound(segments: readonly TokenSegment[]): void {
  for (const [index, { ids, mask, logprobs, ...segment }] of segments.entries()) {
    expect(segment.index).toBe(index);
    expect([mask.length, logprobs.length]).toEqual([ids.length, ids.length]);
    const wrong = ids.filter((id, at) => {
      const [masked, logprob] = [mask[at], logprobs[at] ?? Number.NaN];
      return masked === -100 ? logprob !== 1 : masked !== id || !(logprob <= 0);
    });
    expect(wrong).toEqual([]);
  }
}
