// A process run of 40 items in a process of its own, so that a test can kill it. Arguments: folder, resume or new, lines.
import { join } from 'node:path';
import { scriptedTokenModel } from '@hermes/protocol/testing';
import {
  createEffects,
  groupPlanOf,
  openRunDirectory,
  openTrainingFile,
  processRollouts,
} from '../../src/index.ts';
import { optionsOf, plainEnvironment } from './harness.ts';

const [, , folder = '', mode, lines = 'trajectories'] = process.argv;
const effects = createEffects();
const resume = mode === 'resume';

const options = {
  ...optionsOf({
    open: ({ identity }) =>
      scriptedTokenModel(async () => {
        await effects.clock.sleep(effects.random.next() * 10);
        return `${identity.itemId}/${identity.attempt} `.repeat(300);
      }),
    effects,
    scheduler: { rollouts: 8 },
    environment: plainEnvironment({
      async *items() {
        for (let index = 0; index < 40; index += 1) yield { id: `item-${index}`, data: index };
      },
      computeReward: async ({ data }) => (data % 3 === 0 ? 0 : 1),
    }),
  }),
  groupSize: 2,
};

const directory = await openRunDirectory(join(folder, 'run'), {
  resume,
  plan: groupPlanOf(options, { job: 'process', size: 2 }),
});
const file = await openTrainingFile(join(folder, 'out.jsonl'), {
  resume: true,
  lines: lines === 'groups' ? 'groups' : 'trajectories',
});
const sinks = [{ record: async () => void process.stdout.write('record\n') }];
await processRollouts({ ...options, sinks, directory, write: file.write });
await file.close();
await directory.close();
