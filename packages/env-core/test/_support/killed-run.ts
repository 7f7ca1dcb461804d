// A run of 40 trials in a process of its own, so that a test can kill it. Arguments: folder, resume or new.
import { scriptedModel } from '@hermes/protocol/testing';
import { createEffects, evaluate, openRunDirectory, planOf } from '../../src/index.ts';
import { optionsOf, plainEnvironment } from './harness.ts';

const [, , folder = '', mode] = process.argv;
const effects = createEffects();

const options = {
  ...optionsOf({
    open: () =>
      scriptedModel(async () => {
        await effects.clock.sleep(5 + effects.random.next() * 20);
        return 'Done.';
      }),
    effects,
    environment: plainEnvironment({
      async *items() {
        for (let index = 0; index < 20; index += 1) yield { id: `item-${index}`, data: index };
      },
      computeReward: async ({ data }) => (data % 3 === 0 ? 0 : 1),
    }),
  }),
  attempts: 2,
};

const directory = await openRunDirectory(folder, {
  resume: mode === 'resume',
  plan: planOf(options),
});
const sink = { record: async () => void process.stdout.write('record\n') };
await evaluate({ ...options, directory, sinks: [sink] });
await directory.close();
