import { createLimiter } from '@hermes/env-core';
import type {
  ChatModel,
  EngineCapabilities,
  ModelCapabilities,
  TokenEngine,
} from '@hermes/protocol';
import { fakeClock, scriptedModel } from '@hermes/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import {
  createModelPool,
  createPooledEngine,
  openPooledModel,
  type PooledModel,
} from '../src/index.ts';
import { callContext, never, openPool, outcome, settle } from './_pool.ts';

function poolOf<M extends PooledModel>(models: readonly M[]) {
  const members = models.map((model, index) => {
    return { id: `m${index}`, model, limiter: createLimiter(4), probe: null };
  });
  const pool = createModelPool(members, { effects: { clock: fakeClock() } });
  onTestFinished(() => pool.close());
  return pool;
}

function modelWith(capabilities: Partial<ModelCapabilities>, modelId = 'm'): ChatModel {
  return scriptedModel('fine', { capabilities, modelId });
}

it('can do what every one of its models can', () => {
  const pool = poolOf([
    modelWith({ images: true, toolChoice: true, contextTokens: 8192 }, 'm'),
    modelWith({ images: false, toolChoice: true, contextTokens: 4096, tokenIds: true }, 'n'),
  ]);
  const model = openPooledModel(pool, 'r1');
  expect(model).toMatchObject({ provider: 'scripted', modelId: 'm, n' });
  expect(model.capabilities).toEqual({
    tokenIds: false,
    images: false,
    toolChoice: true,
    streaming: true,
    contextTokens: 4096,
  });
  expect(model).not.toHaveProperty('segments');
});

it('does not know a size that one of its models does not know', () => {
  const pool = poolOf([modelWith({ contextTokens: 10 }), modelWith({ contextTokens: null })]);
  expect(openPooledModel(pool, 'r1').capabilities.contextTokens).toBeNull();
});

it('passes on every event of a call as the model gave it', async () => {
  const plain = scriptedModel('a text of some length', { clock: fakeClock() });
  const pool = poolOf<ChatModel>([scriptedModel('a text of some length', { clock: fakeClock() })]);
  const events = async (model: ChatModel): Promise<unknown[]> => {
    const all: unknown[] = [];
    for await (const event of model.chat({ messages: [], sampling: {} }, callContext('r1'))) {
      all.push(event);
    }
    return all;
  };
  expect(await events(openPooledModel(pool, 'r1'))).toEqual(await events(plain));
});

it('releases its rollout when it is closed', async () => {
  const { pool } = openPool([{ id: 'a' }, { id: 'b' }]);
  expect((await pool.open('r1', 'train', never)).id).toBe('a');
  await openPooledModel(pool, 'r1').close?.();
  expect((await pool.open('r2', 'train', never)).id).toBe('a');
});

it('keeps what else a model has, and lets it run on the model itself', async () => {
  class Counting {
    readonly specificationVersion = 'v1';
    readonly provider = 'counting';
    readonly modelId = 'c';
    readonly capabilities: ModelCapabilities = scriptedModel('').capabilities;
    #resets = 0;
    chat: ChatModel['chat'] = (request, context) => scriptedModel('x').chat(request, context);
    reset(): number {
      this.#resets += 1;
      return this.#resets;
    }
  }
  const pool = poolOf([new Counting()]);
  const { model } = await pool.open('r1', 'train', never);
  expect([model.reset(), model.reset()]).toEqual([1, 2]);
});

it('takes a frozen model', async () => {
  const pool = poolOf([Object.freeze({ ...scriptedModel('fine') })]);
  const { model } = await pool.open('r1', 'train', never);
  const types: string[] = [];
  for await (const event of model.chat({ messages: [], sampling: {} }, callContext('r1'))) {
    types.push(event.type);
  }
  expect(types.at(-1)).toBe('result');
  expect('segments' in model).toBe(false);
});

function engine(id: string, capabilities: Partial<EngineCapabilities>): TokenEngine {
  return {
    specificationVersion: 'v1',
    id,
    modelId: 'm',
    capabilities: {
      streaming: true,
      abort: 'engine',
      score: true,
      vocabularySize: 100,
      contextTokens: 50,
      ...capabilities,
    },
    async *generate({ ids }) {
      yield { type: 'attempt_start', attemptId: 'a', number: 1 };
      yield { type: 'result', outputs: [], promptIds: ids, cachedTokens: null };
    },
  };
}

it('puts token engines behind one, sticky by the rollout of each call', async () => {
  const pool = poolOf([engine('e0', { abort: 'connection' }), engine('e1', { contextTokens: 20 })]);
  const pooled = createPooledEngine(pool);
  expect(pooled).toMatchObject({ id: 'e0, e1', modelId: 'm' });
  expect(pooled.capabilities).toEqual({
    streaming: true,
    abort: 'connection',
    score: false,
    vocabularySize: 100,
    contextTokens: 20,
  });
  for (const rollout of ['r1', 'r1', 'r2']) {
    const request = { ids: [1, 2], n: 1, sampling: {} };
    const events = [];
    for await (const event of pooled.generate(request, callContext(rollout))) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'result', promptIds: [1, 2] });
  }
  const stats = pool.stats();
  expect(stats['server/server_0_average_num_attempts']).toBe(1);
  expect(stats['server/server_1_average_num_attempts']).toBe(1);
});

it('throws the error of a model for a call that is cancelled in line', async () => {
  const { pool } = openPool([{ id: 'a', slots: 1 }]);
  const events = (signal: AbortSignal) =>
    openPooledModel(pool, 'r1').chat(
      { messages: [], sampling: {} },
      callContext('r1', 'eval', signal),
    );
  const drain = async (signal: AbortSignal): Promise<void> => {
    for await (const _event of events(signal));
  };
  const running = outcome(drain(never));
  const stop = new AbortController();
  const waiting = expect(drain(stop.signal)).rejects.toMatchObject({
    boundary: 'model',
    code: 'CANCELLED',
  });
  await settle();
  stop.abort();
  await waiting;
  await pool.close();
  expect(await running).toBe('CANCELLED');
});
