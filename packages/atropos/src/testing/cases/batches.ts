import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { rawRequest } from '../raw-request.ts';
import {
  type Bench,
  defineCase,
  groupsOf,
  type RunApiCase,
  trainerBody,
  wireGroup,
} from './run-api-case.ts';

export const batchCases: readonly RunApiCase[] = [
  defineCase(15, 'no environment is left: status fails (strict: answers)', async (bench) => {
    await bench.start();
    await bench.join({});
    await bench.post('/disconnect-env', { env_id: 0 });
    const { status } = await bench.status(0);
    assert.equal(status, bench.options.mode === 'strict' ? 200 : 500);
  }),
  defineCase(16, 'several batches go out last first (strict: first first)', async (bench) => {
    const isStrict = bench.options.mode === 'strict';
    await bench.start();
    await bench.join({ group_size: 4 });
    for (const mark of [1000, 2000, 3000]) await bench.post('/scored_data', wireGroup(4, 0, mark));
    const first = await nextMark(bench);
    const { current_step } = (await bench.get('/status')).body as { current_step: number };
    const marks = [first, await nextMark(bench), await nextMark(bench)];
    assert.deepEqual(marks, isStrict ? [1000, 2000, 3000] : [3000, 2000, 1000]);
    assert.equal(current_step, isStrict ? 1 : 3);
  }),
  defineCase(17, 'groups of 3 never fill a batch of 4', async (bench) => {
    await bench.start();
    await bench.join({ group_size: 3 });
    await bench.send(0, 3, 3, 3, 3);
    assert.deepEqual((await bench.get('/batch')).body, { batch: null });
  }),
  defineCase(18, 'a batch after a reset fails (strict: says why)', async (bench) => {
    await bench.start();
    await bench.get('/reset_data');
    const answer = await bench.get('/batch');
    assert.equal(answer.status, bench.options.mode === 'strict' ? 200 : 500);
    await bench.post('/register', trainerBody);
    assert.deepEqual((await bench.get('/batch')).body, { batch: null });
  }),
  defineCase(20, 'bodies may be zipped', async (bench) => {
    await bench.start();
    await bench.join({});
    const zipped = gzipSync(JSON.stringify(wireGroup(2, 0)));
    assert.deepEqual((await postZipped(bench, zipped)).body, { status: 'received' });
    const broken = await postZipped(bench, Buffer.from('no gzip!'));
    assert.deepEqual([broken.status, broken.text], [400, 'Invalid gzip payload']);
  }),
  defineCase(21, 'a status needs an id', async (bench) => {
    await bench.start();
    await bench.join({});
    assert.equal((await bench.get('/status-env')).status, 422);
    const byQuery = await bench.get('/status-env?env_id=0');
    assert.equal(byQuery.status, bench.options.takesIdFromQuery ? 200 : 422);
  }),
  defineCase(22, 'queues of others count in packs of the largest group', async (bench) => {
    await bench.start({ batch_size: 64 });
    await bench.join({ desired_name: 'a' });
    await bench.join({ desired_name: 'b', weight: 3, group_size: 4 });
    await bench.send(0, 2, 2, 2);
    await bench.send(1, 4);
    assert.deepEqual((await bench.status(0)).body, {
      current_step: 0,
      queue_size: 5,
      unallocated_fraction: 1,
      self_queue_size: 3,
      max_group_size: 4,
      env_weight: 0.25,
    });
    assert.equal(((await bench.status(1)).body as { queue_size: number }).queue_size, 3);
  }),
];

async function nextMark(bench: Bench): Promise<number | undefined> {
  return groupsOf(await bench.get('/batch'))[0]?.tokens[0]?.[0];
}

function postZipped({ options }: Bench, body: Buffer) {
  const headers = { 'content-encoding': 'gzip' };
  return rawRequest(options.baseUrl, { path: '/scored_data', body, headers });
}
