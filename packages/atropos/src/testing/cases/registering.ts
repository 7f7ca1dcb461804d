import assert from 'node:assert/strict';
import { defineCase, environmentBody, type RunApiCase, trainerBody } from './run-api-case.ts';

export const registeringCases: readonly RunApiCase[] = [
  defineCase(
    1,
    'a batch before any trainer is an error',
    async ({ get }) => {
      assert.deepEqual((await get('/batch')).body, {
        status: 'error',
        message: 'Trainer not registered. Call /register first.',
        batch: [],
      });
    },
    true,
  ),
  defineCase(
    2,
    'a fresh server says that it knows nothing',
    async ({ get }) => {
      assert.deepEqual((await get('/info')).body, { batch_size: -1, max_token_len: -1 });
      assert.deepEqual((await get('/wandb_info')).body, { group: null, project: null });
      assert.deepEqual((await get('/status')).body, { current_step: 0, queue_size: 0 });
    },
    true,
  ),
  defineCase(3, 'environments wait until a trainer asks for a batch', async ({ post, join }) => {
    const answer = await post('/register', trainerBody);
    assert.match(answer.text, /"uuid":\s*\d{20,}/);
    assert.deepEqual((await join({})).body, { status: 'wait for trainer to start' });
  }),
  defineCase(4, 'a second trainer changes nothing', async ({ post, get }) => {
    await post('/register', trainerBody);
    await post('/register', { ...trainerBody, batch_size: 8 });
    assert.deepEqual((await get('/info')).body, { batch_size: 4, max_token_len: 512 });
  }),
  defineCase(5, 'the first batch is null', async ({ post, get }) => {
    await post('/register', trainerBody);
    assert.deepEqual((await get('/batch')).body, { batch: null });
  }),
  defineCase(6, 'an environment needs a weight and a name', async ({ post, start, join }) => {
    await start();
    const { weight: _weight, ...unweighted } = environmentBody;
    assert.equal((await post('/register-env', unweighted)).status, 422);
    assert.equal((await join({ desired_name: null })).status, 422);
  }),
  defineCase(7, 'equal names are counted', async ({ start, join }) => {
    await start();
    const names = [await join({}), await join({})].map(
      ({ body }) => (body as { wandb_name: string }).wandb_name,
    );
    assert.deepEqual(names, ['x_0', 'x_1']);
  }),
  defineCase(
    14,
    'an unknown environment cannot leave',
    async ({ post, start }) => {
      const leave = async () => (await post('/disconnect-env', { env_id: 9 })).body;
      const early = "'State' object has no attribute 'envs'";
      assert.deepEqual(await leave(), { status: 'failure', error: early });
      await start();
      assert.deepEqual(await leave(), { status: 'failure', error: 'list index out of range' });
    },
    true,
  ),
];
