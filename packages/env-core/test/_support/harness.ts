import type { Effects, RolloutEvent, RolloutRecord } from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import type {
  Environment,
  Item,
  OpenModel,
  RolloutSink,
  RunOptions,
  Trial,
} from '../../src/index.ts';
import { trialKey } from '../../src/index.ts';

/** Effects on which nobody has to wait: short sleeps end at once, deadlines never ring. */
export function quickEffects(): Effects {
  const { clock, ...effects } = testEffects();
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms <= 10_000 ? Promise.resolve() : clock.sleep(ms, signal);
  return { ...effects, clock: { now: clock.now, sleep } };
}

/** An environment without a sandbox that gives everyone a reward of 1. */
export function plainEnvironment(changes: Partial<Environment<number>> = {}): Environment<number> {
  return {
    datasetRevision: 'r1',
    toolsets: [],
    async *items() {
      for (let index = 0; index < 3; index += 1) yield { id: `item-${index}`, data: index };
    },
    prompt: () => [{ role: 'user', content: 'Do it.' }],
    computeReward: async () => 1,
    ...changes,
  };
}

export type Collected = Readonly<{
  records: RolloutRecord[];
  tried: RolloutRecord[];
  events: RolloutEvent[];
  sink: RolloutSink;
}>;

/** A sink that keeps everything. */
export function collecting(): Collected {
  const collected: Omit<Collected, 'sink'> = { records: [], tried: [], events: [] };
  return {
    ...collected,
    sink: {
      record: async (record) => void collected.records.push(record),
      tried: async (record) => void collected.tried.push(record),
      event: (event) => void collected.events.push(event),
    },
  };
}

/** Options that a test only has to change. */
export function optionsOf(
  changes: Partial<RunOptions<number>> & { readonly open: OpenModel },
): RunOptions<number> {
  const { open, ...rest } = changes;
  return {
    definition: { id: 'plain', version: '1', configDigest: 'none' },
    environment: plainEnvironment(),
    model: { provider: 'test', modelId: 'scripted', open },
    sandboxes: null,
    sampling: { temperature: 1 },
    sinks: [],
    effects: testEffects(),
    ...rest,
  };
}

/** One trial of an item. */
export function trialOf(item: Item<number> = { id: 'item-0', data: 0 }): Trial<number> {
  const identity = {
    environment: { id: 'plain', version: '1', configDigest: 'none' },
    datasetRevision: 'r1',
    itemId: item.id,
    model: { provider: 'test', modelId: 'scripted' },
    sampling: {},
    attempt: 0,
  };
  return {
    identity,
    trialKey: trialKey(identity),
    item,
    itemIndex: 0,
    groupId: null,
    seeds: { run: 0, rollout: 1 },
    split: 'eval',
  };
}

/** A promise that a test settles itself. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: settle };
}
