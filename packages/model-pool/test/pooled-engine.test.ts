import { createLimiter } from '@hermes/env-core';
import type { TokenEngine } from '@hermes/protocol';
import { fakeClock } from '@hermes/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createModelPool, createPooledEngine, type ModelPool } from '../src/index.ts';
import { callContext, never } from './_pool.ts';

/** An engine that says its own prompt again. */
function echoing(id: string, given: Partial<TokenEngine> & { version?: string } = {}): TokenEngine {
  const { version = null, ...engine } = given;
  return {
    specificationVersion: 'v1',
    id,
    modelId: 'm',
    capabilities: {
      streaming: true,
      abort: 'connection',
      score: false,
      vocabularySize: 100,
      contextTokens: 20,
    },
    async *generate({ ids }) {
      const finish = { type: 'length' } as const;
      const output = { ids, logprobs: ids.map(() => -1), finish, weightVersion: version };
      yield { type: 'result', outputs: [output], promptIds: ids, cachedTokens: null };
    },
    ...engine,
  };
}

function poolOf(engines: readonly TokenEngine[]): ModelPool<TokenEngine> {
  const members = engines.map((model) => ({
    id: model.id,
    model,
    limiter: createLimiter(4),
    probe: null,
  }));
  const pool = createModelPool(members, { effects: { clock: fakeClock() } });
  onTestFinished(() => pool.close());
  return pool;
}

async function versionOf(engine: TokenEngine, rollout: string): Promise<string | null | undefined> {
  const request = { ids: [1, 2], n: 1, sampling: {} };
  for await (const event of engine.generate(request, callContext(rollout)))
    if (event.type === 'result') return event.outputs[0]?.weightVersion;
  return undefined;
}

it('tells the version of the weights that the trainer has told, where the engine does not', async () => {
  const pool = poolOf([echoing('silent')]);
  const engine = createPooledEngine(pool);
  expect(await versionOf(engine, 'r1')).toBeNull();
  pool.pause();
  pool.resume('step-7');
  expect(await versionOf(engine, 'r1')).toBe('step-7');
});

it('leaves the version of the weights that an engine tells itself', async () => {
  const pool = poolOf([echoing('frank', { version: 'own' })]);
  pool.resume('step-7');
  expect(await versionOf(createPooledEngine(pool), 'r1')).toBe('own');
});

it('starts no call while the trainer exchanges the weights', async () => {
  const pool = poolOf([echoing('a')]);
  const engine = createPooledEngine(pool);
  pool.pause();
  let hasEnded = false;
  const call = versionOf(engine, 'r1').then((version) => {
    hasEnded = true;
    return version;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  pool.resume('step-8');
  expect(await call).toBe('step-8');
});

it('reads a text as all of its engines do, and names those that read it otherwise', async () => {
  const reader = (id: string, ids: readonly number[]) => echoing(id, { tokenize: async () => ids });
  const alike = createPooledEngine(poolOf([reader('a', [1, 2]), reader('b', [1, 2])]));
  expect(await alike.tokenize?.('x', never)).toEqual([1, 2]);
  const unlike = createPooledEngine(poolOf([reader('a', [1, 2]), reader('b', [1, 3])]));
  await expect(unlike.tokenize?.('x', never)).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringMatching(/"a" and "b"/),
  });
});

it('does not claim to read texts when one of its engines cannot', () => {
  const engines = [echoing('a', { tokenize: async () => [1] }), echoing('b')];
  expect(createPooledEngine(poolOf(engines)).tokenize).toBeUndefined();
});
