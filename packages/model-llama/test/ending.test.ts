import { readFile } from 'node:fs/promises';
import type { TokenEngine } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { openLlamaEngine } from '../src/index.ts';
import {
  answer,
  automatonFile,
  callContext,
  generate,
  openAutomaton,
  question,
} from './_engine.ts';

const path = await automatonFile();
const open = (): ReturnType<typeof openLlamaEngine> =>
  openLlamaEngine({ path, threads: 1, contextTokens: 1024, sequences: 1 });

/** For those tests that leave it as it was: one sequence, so that what is not given back is missed. */
const { engine, tokenizer } = await openAutomaton({ sequences: 1 });

/** Random text that goes on: its end is not among what may be chosen first. */
const endless = { maxTokens: 900, topK: 1 };

/** Waits for the first token of a generation, then does something, then takes the rest. */
async function afterFirstToken(
  engine: TokenEngine,
  ids: readonly number[],
  signal: AbortSignal,
  act: () => void,
): Promise<void> {
  let isFirst = true;
  for await (const event of engine.generate(
    { ids, n: 1, sampling: endless },
    callContext(signal),
  )) {
    if (event.type === 'tokens_delta' && isFirst) act();
    if (event.type === 'tokens_delta') isFirst = false;
  }
}

describe('an abort', () => {
  it('ends a generation with CANCELLED and leaves the sequence to the next', async () => {
    const controller = new AbortController();
    const ids = question(tokenizer);
    const running = afterFirstToken(engine, ids, controller.signal, () => controller.abort());
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await answer(engine, ids, { seed: 1, maxTokens: 3 })).ids.length).toBeGreaterThan(0);
  });

  it('ends one that waits for its turn, and the one before goes on', async () => {
    const controller = new AbortController();
    const ids = question(tokenizer);
    let waiting: Promise<unknown> = Promise.resolve();
    await afterFirstToken(engine, ids, new AbortController().signal, () => {
      waiting = generate(engine, { ids, n: 1, sampling: {} }, controller.signal);
      waiting.catch(() => undefined);
      controller.abort();
    });
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('before the start starts nothing, for a forced pass as well', async () => {
    const ids = question(tokenizer);
    const aborted = AbortSignal.abort();
    await expect(generate(engine, { ids, n: 2, sampling: {} }, aborted)).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await expect(engine.score?.(ids, 0, aborted)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

it('is told of as an attempt that failed', async () => {
  const types: string[] = [];
  const controller = new AbortController();
  const request = { ids: question(tokenizer), n: 1, sampling: endless };
  const run = async (): Promise<void> => {
    for await (const event of engine.generate(request, callContext(controller.signal))) {
      types.push(event.type === 'attempt_end' ? `end ${event.attempt.error?.code}` : event.type);
      if (event.type === 'tokens_delta') controller.abort();
    }
  };
  await expect(run()).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(types[0]).toBe('attempt_start');
  expect(types.at(-1)).toBe('end CANCELLED');
});

it('frees the sequence of a consumer that leaves early', async () => {
  const request = { ids: question(tokenizer), n: 2, sampling: endless };
  for (let round = 0; round < 3; round += 1)
    for await (const event of engine.generate(request, callContext()))
      if (event.type === 'tokens_delta') break;
  expect((await answer(engine, request.ids, { seed: 1, maxTokens: 3 })).ids.length).toBeGreaterThan(
    0,
  );
});

describe('closing', () => {
  it('ends what runs and what waits, and later calls', async () => {
    const { engine, tokenizer } = await open();
    const ids = question(tokenizer);
    let closed: Promise<void> | undefined;
    let waiting: Promise<unknown> = Promise.resolve();
    const running = afterFirstToken(engine, ids, new AbortController().signal, () => {
      waiting = answer(engine, ids);
      waiting.catch(() => undefined);
      closed = engine.close?.();
    });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await closed;
    await expect(answer(engine, ids)).rejects.toMatchObject({ code: 'CANCELLED' });
    await engine.close?.();
  });

  it('gives the file and the memory back', async () => {
    const mapped = async (): Promise<boolean> =>
      (await readFile('/proc/self/maps', 'utf8')).includes(path);
    // 134 MB for what the sequences remember.
    const { engine } = await openLlamaEngine({
      path,
      threads: 1,
      contextTokens: 4096,
      sequences: 64,
    });
    expect(await mapped()).toBe(true);
    const before = process.memoryUsage().rss;
    await engine.close?.();
    expect(await mapped()).toBe(false);
    expect(before - process.memoryUsage().rss).toBeGreaterThan(100e6);
  });
});

it('answers 100 rollouts at once over a few sequences', async () => {
  const { engine, tokenizer } = await openAutomaton({ sequences: 3 });
  const ids = question(tokenizer);
  const outputs = await Promise.all(
    Array.from({ length: 100 }, (_, seed) => answer(engine, ids, { seed, maxTokens: 2 })),
  );
  expect(outputs.every((output) => output.ids.length > 0)).toBe(true);
});
