import { strict as assert } from 'node:assert';
import { type RunApi, startRunApi } from '@hermes/atropos/testing';
import { compareSides } from './compare-sides.ts';
import { python, runDirectory, serveArgv } from './inputs.ts';
import { runHermes } from './run-hermes.ts';
import { drain, type Received, startTrainer } from './trainer-side.ts';

const sizes = { group: 4, batch: 16 };
const steps = 12;
/** Batches that the environment may be ahead of its trainer, and the one that is being made. */
const stock = 4;

/** A run-api is killed under an environment that goes on, and started again with a new trainer: it takes its queue along, and nothing else is lost. */
export async function outliveRunApi(folder: string): Promise<Readonly<{ lost: number }>> {
  const received: Received = { groups: new Map(), batches: 0, cutSequences: 0 };
  let api: RunApi = await startRunApi(python);
  let trainer = startTrainer(api.baseUrl, sizes, steps, received);
  const environment = runHermes(serveArgv(folder, api.baseUrl, sizes));
  try {
    await environment.told(/"type":"trainer","state":"step"/);
    await trainer.stop();
    await api.kill();
    await environment.told(/"type":"trainer","state":"lost"/);
    api = await startRunApi(python, api.port);
    trainer = startTrainer(api.baseUrl, sizes, steps, received);
    assert.equal(await environment.ended, 0, 'the environment did not end well');
    assert.deepEqual((await trainer.done).problems, []);
    const left = await drain(api.baseUrl, sizes.group, received);
    const mayBeLost = (stock * sizes.batch) / sizes.group;
    return await compareSides(runDirectory(folder), received, left, mayBeLost);
  } finally {
    await environment.kill();
    await trainer.stop();
    await api.kill();
  }
}
