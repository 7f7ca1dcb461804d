import assert from 'node:assert/strict';
import { type Bench, defineCase, groupsOf, type RunApiCase, wireGroup } from './run-api-case.ts';

const received = { status: 'received' };
const buffered = (sequences: number) => ({ status: 'buffered', buffer_size: sequences });

export const sendingCases: readonly RunApiCase[] = [
  defineCase(8, 'a group of the registered size is received', async (bench) => {
    assert.deepEqual(await joinAndSend(bench, 2), [received]);
  }),
  defineCase(9, 'a smaller group is buffered', async (bench) => {
    assert.deepEqual(await joinAndSend(bench, 2, 1), [received, buffered(1)]);
  }),
  defineCase(10, 'buffered groups that add up enter the queue as they are', async (bench) => {
    assert.deepEqual(await joinAndSend(bench, 2, 1, 1), [received, buffered(1), buffered(0)]);
    assert.deepEqual((await bench.get('/status')).body, { current_step: 0, queue_size: 3 });
  }),
  defineCase(11, 'a larger group stays in the buffer (strict: is refused)', async (bench) => {
    await joinAndSend(bench, 2, 1, 1);
    const answer = await bench.post('/scored_data', wireGroup(4, 0));
    if (bench.options.mode === 'strict') assert.equal(answer.status, 422);
    else assert.deepEqual(answer.body, buffered(4));
  }),
  defineCase(12, 'a list is answered as a whole', async (bench) => {
    await joinAndSend(bench, 2, 1, 1);
    await bench.post('/scored_data', wireGroup(4, 0));
    const list = [wireGroup(2, 0), wireGroup(1, 0)];
    assert.deepEqual((await bench.post('/scored_data_list', list)).body, {
      status: 'received',
      groups_processed: 2,
      buffered: 1,
      last_buffer_size: bench.options.mode === 'strict' ? 1 : 5,
    });
  }),
  defineCase(13, 'a batch has whole groups with all 14 fields', async (bench) => {
    await joinAndSend(bench, 2, 1, 1);
    const groups = groupsOf(await bench.get('/batch'));
    assert.deepEqual(
      groups.map(({ tokens }) => tokens.length),
      [2, 1, 1],
    );
    for (const group of groups) assert.deepEqual(Object.keys(group).sort(), fieldNames);
    assert.equal((groups[0] as Record<string, unknown>).advantages, null);
  }),
  defineCase(19, 'a message needs content', async (bench) => {
    await joinAndSend(bench);
    const messages = [[{ role: 'assistant' }], []];
    const answer = await bench.post('/scored_data', { ...wireGroup(2, 0), messages });
    assert.equal(answer.status, 422);
  }),
];

const fieldNames = [
  'advantages',
  'distill_logprobs',
  'distill_token_ids',
  'env_id',
  'generation_params',
  'group_overrides',
  'images',
  'inference_logprobs',
  'masks',
  'messages',
  'overrides',
  'ref_logprobs',
  'scores',
  'tokens',
];

async function joinAndSend(bench: Bench, ...sizes: readonly number[]): Promise<readonly unknown[]> {
  await bench.start();
  await bench.join({});
  return bench.send(0, ...sizes);
}
