import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callText, defaultScript, writeAutomaton } from '@hermes/automaton';
import { createManagedServer, type ManagedServer } from '@hermes/managed-server';
import { openLlamaEngine } from '@hermes/model-llama';
import { hermesParser } from '@hermes/parsers/hermes';
import type { TokenEngine, Tokenizer, TokenSegment } from '@hermes/protocol';
import { playForeignAgent } from '@hermes/real-engines';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway } from './_gateway.ts';

const OPEN_MS = 60_000;

/** A real model in this process: it calls a tool, reads the result and answers. */
let engine: TokenEngine;
let tokenizer: Tokenizer;
let server: ManagedServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-gateway-'));
  const calls = [{ text: callText('terminal', { command: 'echo hello' }), weight: 1 }];
  const { gguf } = await writeAutomaton(folder, { ...defaultScript, calls, callAgain: 0.5 });
  ({ engine, tokenizer } = await openLlamaEngine({ path: gguf, threads: 1, contextTokens: 2048 }));
  server = await createManagedServer({ engine, tokenizer, parser: hermesParser });
}, OPEN_MS);

afterAll(async () => {
  await server.close();
  await engine.close?.();
  await rm(folder, { recursive: true });
});

function openAutomaton() {
  const open = ({ sessionId }: { readonly sessionId: string }) => server.openSession(sessionId);
  return openGateway({ modelId: engine.modelId, tokenizer, open });
}

async function expectScored({ ids, mask, logprobs }: TokenSegment): Promise<void> {
  const scores = await engine.score?.(ids, 0, new AbortController().signal);
  for (const [place, value] of mask.entries())
    if (value !== -100)
      expect(scores?.[place]?.logprob).toBeCloseTo(logprobs[place] ?? Number.NaN, 3);
}

describe.each([false, true])('a foreign agent on a real model, streaming: %s', (stream) => {
  it('leaves one segment with the ids and log-probs that the engine has', async () => {
    const { gateway } = await openAutomaton();
    const turns = await playForeignAgent(`${gateway.baseUrl}/agent-${stream}/v1`, stream);
    const segments = gateway.segments(`agent-${stream}`) ?? [];
    expect(segments.map(({ openedBecause }) => openedBecause)).toEqual(['start']);
    for (const segment of segments) {
      const ends = segment.mask.filter((id) => tokenizer.turnEndIds.includes(id));
      expect(ends).toHaveLength(turns);
      await expectScored(segment);
    }
  }, 60_000);
});

it('renders and counts the prompt that the next call sends', async () => {
  const { ask } = await openAutomaton();
  const body = { messages: [{ role: 'user', content: 'What is it?' }], max_tokens: 1 };
  const { body: rendered } = await ask('POST', '/r/v1/chat/completions/render', body);
  const { body: counted } = await ask('POST', '/r/v1/messages/count_tokens', body);
  expect(rendered).toMatchObject({ num_tokens: counted.input_tokens });
  expect(rendered.prompt_text).toContain('What is it?');
  await ask('POST', '/r/v1/chat/completions', body);
  const [node] = (await ask('GET', '/r/nodes')).body.nodes;
  expect(node.tokens.slice(0, -1)).toEqual(rendered.token_ids);
  expect(node.full_text.startsWith(rendered.prompt_text)).toBe(true);
});
