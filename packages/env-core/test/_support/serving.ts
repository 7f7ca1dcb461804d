import type { Effects } from '@hermes/protocol';
import { type MemoryTrainer, memoryTrainer, scriptedTokenModel } from '@hermes/protocol/testing';
import {
  createEffects,
  type Environment,
  type GroupRules,
  type OpenModel,
  type RunOptions,
  type ServeRules,
} from '../../src/index.ts';
import { optionsOf, plainEnvironment } from './harness.ts';

export const answers: OpenModel = ({ identity }) =>
  scriptedTokenModel(`Answer ${identity.itemId}/${identity.attempt}.`);

/** Real time, but for short waits: they end with the next turn of the event loop. */
export function briskEffects(changes: Partial<Effects> = {}): Effects {
  const { clock } = createEffects();
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms > 10_000 ? clock.sleep(ms, signal) : new Promise<void>((resolve) => setImmediate(resolve));
  return createEffects({ clock: { now: clock.now, sleep }, ...changes }, 1);
}

/** Items whose attempts are scored 0, 1, 0, 1 and so on. */
export function alternating(items = 1_000): Environment<number> {
  return plainEnvironment({
    async *items({ start }) {
      for (let index = start; index < items; index += 1) yield { id: `item-${index}`, data: index };
    },
    computeReward: async (_item, result) =>
      JSON.stringify(result.messages).match(/[13579]\.\\?"/) ? 1 : 0,
  });
}

export type Changes = Partial<Omit<RunOptions<number> & ServeRules, 'trainer' | 'group'>> & {
  readonly trainer: MemoryTrainer;
  readonly open?: OpenModel;
  readonly group?: Partial<GroupRules>;
};

export function optionsFor({
  open = answers,
  group = {},
  ...changes
}: Changes): RunOptions<number> & ServeRules {
  return {
    ...optionsOf({ open, effects: createEffects({}, 1), environment: alternating() }),
    scheduler: { rollouts: 8 },
    pollMs: 1,
    group: { size: 4, name: 'maths', ...group },
    ...changes,
  };
}

/** A trainer that takes a batch whenever one is full, while the environment asks how it stands. */
export function training(options: Parameters<typeof memoryTrainer>[0] = {}): MemoryTrainer {
  const trainer: MemoryTrainer = memoryTrainer({
    ...options,
    before: async (route, number) => {
      if (route === 'status') await trainer.train();
      await options.before?.(route, number);
    },
  });
  return trainer;
}
