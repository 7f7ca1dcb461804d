import { hermesParser } from '@hermes/parsers/hermes';
import type { Message, TokenEngine, TokenSegment, ToolSchema } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManagedServer, type ManagedServer, openTokenEngine } from '../src/index.ts';
import { type LlamaServer, startLlamaServer } from './_support/llama-server.ts';
import { context, expectSound, resultOf, WEATHER } from './_support/session.ts';

const MINUTE = 60_000;
const ROLLOUTS = 50;
/** Each of their sampled tokens costs the server a whole prompt. */
const ASKED_AGAIN = 3;
const VOCABULARY = 384;
const TERMINAL: ToolSchema = {
  type: 'function',
  function: {
    name: 'terminal',
    parameters: { type: 'object', properties: { command: { type: 'string' } } },
  },
};

/** One rollout: tools are called as long as the model wants to. */
async function play(server: ManagedServer, rollout: number): Promise<readonly TokenSegment[]> {
  const session = server.openSession(`rollout-${rollout}`);
  const messages: Message[] = [{ role: 'user', content: 'What is the weather in Paris?' }];
  for (let turn = 1; turn <= 20; turn += 1) {
    const sampling = { seed: rollout * 100 + turn, maxTokens: 50 };
    const { message } = await resultOf(session, { messages, tools: [WEATHER, TERMINAL], sampling });
    messages.push(message);
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: `sunny, turn ${turn}` });
    if (message.tool_calls === undefined) break;
  }
  return session.segments();
}

/** What the server says of a token behind other tokens, asked for all of them and not by sampling. */
async function logprobOf(url: string, before: readonly number[], id: number): Promise<number> {
  const body = {
    prompt: before,
    n_predict: 1,
    n_probs: VOCABULARY,
    temperature: 1,
    top_k: 0,
    top_p: 1,
    min_p: 0,
  };
  const response = await fetch(`${url}/completion`, { method: 'POST', body: JSON.stringify(body) });
  const answer: {
    completion_probabilities: { top_logprobs: { id: number; logprob: number }[] }[];
  } = JSON.parse(await response.text());
  const [position] = answer.completion_probabilities;
  return position?.top_logprobs.find((entry) => entry.id === id)?.logprob ?? Number.NaN;
}

describe.runIf(isExpected('llama-server'))("llama.cpp's own server", () => {
  let llama: LlamaServer;
  let engine: TokenEngine;
  let server: ManagedServer;

  beforeAll(async () => {
    llama = await startLlamaServer();
    ({ engine } = await openTokenEngine({ baseUrl: llama.url }));
    server = await createManagedServer({
      engine,
      tokenizer: llama.tokenizer,
      parser: hermesParser,
    });
  }, MINUTE);

  afterAll(async () => {
    await server?.close();
    await engine?.close?.();
    await llama?.close();
  });

  it('is known for what it is', () => {
    expect(engine).toMatchObject({
      id: 'llama_cpp',
      capabilities: { vocabularySize: VOCABULARY, contextTokens: expect.any(Number) },
    });
  });

  it(
    'plays rollouts with tools whose tokens are exact, and says the same of them when asked again',
    async () => {
      const longest: TokenSegment[] = [];
      for (let rollout = 0; rollout < ROLLOUTS; rollout += 1) {
        const segments = await play(server, rollout);
        expectSound(segments);
        expect(segments.map(({ openedBecause }) => openedBecause)).toEqual(['start']);
        longest.push(...segments);
      }
      const calls = longest.map(
        ({ ids }) => llama.tokenizer.decode(ids).split('<tool_response>').length - 1,
      );
      expect(calls.filter((count) => count >= 3).length).toBeGreaterThanOrEqual(20);
      for (const { ids, mask, logprobs } of longest.slice(0, ASKED_AGAIN))
        for (const [at, id] of ids.entries())
          if (mask[at] !== -100)
            expect(await logprobOf(llama.url, ids.slice(0, at), id)).toBeCloseTo(
              logprobs[at] ?? 1,
              3,
            );
    },
    5 * MINUTE,
  );

  it(
    'frees its slot when a call is aborted',
    async () => {
      const controller = new AbortController();
      const call = resultOf(
        server.openSession('aborted'),
        {
          messages: [{ role: 'user', content: 'Talk.' }],
          sampling: { maxTokens: 3_000, stop: ['never said'] },
        },
        { ...context, signal: controller.signal },
      );
      const ended = expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
      await untilBusy(llama.url, true);
      controller.abort();
      await ended;
      await untilBusy(llama.url, false);
    },
    MINUTE,
  );
});

async function untilBusy(url: string, wanted: boolean): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/slots`);
    const slots: { is_processing: boolean }[] = JSON.parse(await response.text());
    if (slots.some(({ is_processing: isBusy }) => isBusy) === wanted) return;
  }
}
