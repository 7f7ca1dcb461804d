import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { measureModel } from '../src/index.ts';
import { createRequestStatistics } from '../src/request-statistics.ts';
import { call, openPool, settle, textOf } from './_pool.ts';

it('tells times and attempts of each server under the names that dashboards know', async () => {
  const { pool, held, clock } = openPool([{ id: 'a' }, { id: 'b' }]);
  const make = async (split: 'train' | 'eval', ms: number, failed: number): Promise<void> => {
    const calling = call(pool, 'r1', split);
    await settle();
    await clock.advance(ms);
    held[0]?.answer({ content: 'x', failedAttempts: Array(failed).fill('SERVER') });
    await calling;
  };
  await make('train', 1000, 0);
  await make('train', 3000, 2);
  await make('eval', 500, 1);
  expect(pool.stats()).toEqual({
    'pool/waiting': 0,
    'pool/longest_wait_ms': 0,
    'pool/paused': 0,
    'server/server_0_request_time_avg': 2,
    'server/server_0_request_time_std': 1,
    'server/server_0_request_time_99p': 2.98,
    'server/server_0_eval_request_time_avg': 0.5,
    'server/server_0_eval_request_time_std': 0,
    'server/server_0_eval_request_time_99p': 0.5,
    'server/server_0_average_num_attempts': 2,
    'server/server_0_eval_retry_rate': 2,
    'server/server_0_healthy': 1,
    'server/server_0_limit': 8,
    'server/server_0_running': 0,
    'server/server_0_queued': 0,
    'server/server_0_longest_wait_ms': 0,
    'server/server_1_healthy': 1,
    'server/server_1_limit': 8,
    'server/server_1_running': 0,
    'server/server_1_queued': 0,
    'server/server_1_longest_wait_ms': 0,
  });
});

it('looks at the last thousand calls only', () => {
  const statistics = createRequestStatistics();
  statistics.add('train', 1_000_000, 9);
  for (let index = 0; index < 1000; index += 1) statistics.add('train', 1000, 1);
  expect(statistics.read('s')).toEqual({
    s_request_time_avg: 1,
    s_request_time_std: 0,
    s_request_time_99p: 1,
    s_average_num_attempts: 1,
  });
});

it('tells the same of a single model without a pool, and leaves its errors alone', async () => {
  let now = 0;
  const answers = scriptedModel((_request, _context, call) => {
    now += 1500;
    return call === 0 ? { content: 'x', failedAttempts: ['SERVER'] } : { error: 'AUTH' };
  });
  const { model, stats } = measureModel(answers, () => now);
  expect(stats()).toEqual({});
  expect(await textOf(model)).toBe('x');
  await expect(textOf(model)).rejects.toMatchObject({ code: 'AUTH' });
  expect(stats()).toEqual({
    'server/server_0_request_time_avg': 1.5,
    'server/server_0_request_time_std': 0,
    'server/server_0_request_time_99p': 1.5,
    'server/server_0_average_num_attempts': 2,
  });
});
