// A training run in a process of its own, so that a test can kill it. The trainer lives here too and notes what it takes. Arguments: folder, resume or new.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEffects, groupPlanOf, openRunDirectory, serve } from '../../src/index.ts';
import { optionsFor, training } from './serving.ts';

const [, , folder = '', mode] = process.argv;
const effects = createEffects();
const registration = { batchSize: 8, totalSteps: 12 };
const trainer = training({
  registration,
  after: (route) => {
    const last = trainer.received.at(-1);
    if (route === 'send') appendFileSync(join(folder, 'taken'), `${last?.groupId}\n`);
  },
});
const base = optionsFor({ trainer, effects });
const plan = groupPlanOf(base, { job: 'serve', size: 4 });
const directory = await openRunDirectory(join(folder, 'run'), { resume: mode === 'resume', plan });
const sinks = [{ record: async () => void process.stdout.write('record\n') }];
await serve({ ...base, sinks, directory });
await directory.close();
