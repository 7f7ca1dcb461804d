import { createLimiter } from '@hermes/env-core';
import type { ChatModel, ModelCallContext } from '@hermes/protocol';
import {
  type FakeClock,
  fakeClock,
  type MemoryLogger,
  memoryLogger,
  type ScriptedTurn,
  scriptedModel,
} from '@hermes/protocol/testing';
import { onTestFinished } from 'vitest';
import {
  createModelPool,
  type ModelPool,
  type ModelPoolOptions,
  openPooledModel,
  type PoolMember,
} from '../src/index.ts';

export const never: AbortSignal = new AbortController().signal;

/** A call that a test answers by hand. */
type HeldCall = Readonly<{ endpoint: string; answer: (turn: ScriptedTurn) => void }>;

/** A pool of endpoints whose calls are answered by hand. */
export type PoolTest = Readonly<{
  pool: ModelPool<ChatModel>;
  clock: FakeClock;
  /** Calls that have started and have no answer yet, in order. */
  held: HeldCall[];
  logger: MemoryLogger;
}>;

export type TestMember = Partial<Omit<PoolMember<ChatModel>, 'model' | 'limiter'>> &
  Readonly<{ id: string; slots?: number }>;

export function openPool(
  members: readonly TestMember[],
  options: Omit<ModelPoolOptions, 'effects'> = {},
): PoolTest {
  const clock = fakeClock();
  const logger = memoryLogger();
  const held: HeldCall[] = [];
  const pool = createModelPool(
    members.map((member) => toMember(member, held, clock)),
    { ...options, effects: { clock, logger } },
  );
  onTestFinished(() => pool.close());
  return { pool, clock, held, logger };
}

function toMember(
  { slots = 1000, ...member }: TestMember,
  held: HeldCall[],
  clock: FakeClock,
): PoolMember<ChatModel> {
  const model = scriptedModel((_request, context) => hold(member.id, context, held), { clock });
  return { probe: null, ...member, model, limiter: createLimiter(slots) };
}

function hold(
  endpoint: string,
  { signal }: ModelCallContext,
  held: HeldCall[],
): Promise<ScriptedTurn> {
  return new Promise((resolve, reject) => {
    const leave = (): void => void held.splice(held.indexOf(call), 1);
    const call = {
      endpoint,
      answer: (turn: ScriptedTurn) => {
        leave();
        resolve(turn);
      },
    };
    held.push(call);
    signal.addEventListener('abort', () => {
      leave();
      reject(signal.reason);
    });
  });
}

/** One whole call through the pool, as a rollout makes it; resolves with the answer's text. */
export async function call(
  pool: ModelPool<ChatModel>,
  rolloutId: string,
  split: 'train' | 'eval' = 'train',
  signal: AbortSignal = never,
): Promise<string> {
  return textOf(openPooledModel(pool, rolloutId), callContext(rolloutId, split, signal));
}

/** The text that a model answers with. */
export async function textOf(
  model: ChatModel,
  context: ModelCallContext = callContext('r1'),
): Promise<string> {
  const request = { messages: [{ role: 'user', content: 'hi' } as const], sampling: {} };
  let text = '';
  for await (const event of model.chat(request, context)) {
    if (event.type === 'result') text = String(event.result.message.content);
  }
  return text;
}

export function callContext(
  rolloutId: string,
  split: 'train' | 'eval' = 'train',
  signal: AbortSignal = never,
): ModelCallContext {
  return { signal, rolloutId, invocationId: 'root', turn: 1, purpose: 'policy', split };
}

/** Lets everything run that only waits for promises. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The code of the error that a promise ends with; `ok` for none. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => String((error as { code?: unknown }).code ?? error),
  );
}
