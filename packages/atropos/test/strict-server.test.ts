import { fakeClock } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { createTrajectoryServer } from '../src/index.ts';
import { rawRequest } from '../src/testing/index.ts';
import { startRun, wireGroup } from './_support/wire-run.ts';

const options = { port: 0, mode: 'strict' } as const;

describe('strict refuses', () => {
  const cases: Readonly<Record<string, readonly [object | string, number]>> = {
    'masks of another length': [{ ...wireGroup(1, 2), masks: [[1], [1]] }, 422],
    'scores of another number': [{ ...wireGroup(1, 2), scores: [1] }, 422],
    'NaN in a score': [`${JSON.stringify(wireGroup(1, 2)).slice(0, -1)},"scores":[NaN,1]}`, 422],
    'a number beyond all floats': ['{"tokens":[[1]],"masks":[[1]],"scores":[1e999]}', 422],
    'more sequences than registered': [wireGroup(1, 3), 422],
    'a negative environment': [{ ...wireGroup(1, 2), env_id: -1 }, 404],
    'an unknown environment': [{ ...wireGroup(1, 2), env_id: 7 }, 404],
  };
  for (const [what, [body, status]] of Object.entries(cases))
    it(what, async () => {
      await using server = await createTrajectoryServer(options);
      await startRun(server.baseUrl);
      const answer = await rawRequest(server.baseUrl, { path: '/scored_data', body });
      expect(answer.status).toBe(status);
      expect((await rawRequest(server.baseUrl, { path: '/status' })).body).toMatchObject({
        queue_size: 0,
      });
    });

  it('data before a trainer has registered, so that a trainer can still come', async () => {
    await using server = await createTrajectoryServer(options);
    const { status } = await rawRequest(server.baseUrl, {
      path: '/scored_data',
      body: wireGroup(1, 2),
    });
    expect(status).toBe(409);
    await startRun(server.baseUrl);
    const { body } = await rawRequest(server.baseUrl, { path: '/info' });
    expect(body).toMatchObject({ batch_size: 4 });
  });

  it('the status of an unknown environment, by name', async () => {
    await using server = await createTrajectoryServer(options);
    await startRun(server.baseUrl);
    const answer = await rawRequest(server.baseUrl, { path: '/status-env?env_id=3' });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('No environment 3 is registered');
  });
});

it('strict answers when the only environment weighs nothing', async () => {
  await using server = await createTrajectoryServer(options);
  await startRun(server.baseUrl);
  const environment = { max_token_length: 1, desired_name: 'y', weight: -1, group_size: 2 };
  await rawRequest(server.baseUrl, { path: '/disconnect-env', body: { env_id: 0 } });
  await rawRequest(server.baseUrl, { path: '/register-env', body: environment });
  const { body } = await rawRequest(server.baseUrl, { path: '/status-env?env_id=1' });
  expect(body).toMatchObject({ env_weight: 0.01 });
});

it('strict takes an environment that was silent too long for gone, until it calls again', async () => {
  const clock = fakeClock();
  await using server = await createTrajectoryServer({
    ...options,
    idleMs: 1000,
    effects: { clock },
  });
  await startRun(server.baseUrl);
  const connected = async () =>
    /connected_environments (\d)/.exec(
      (await rawRequest(server.baseUrl, { path: '/metrics' })).text,
    )?.[1];
  expect(await connected()).toBe('1');
  await clock.advance(1001);
  expect(await connected()).toBe('0');
  await rawRequest(server.baseUrl, { path: '/status-env?env_id=0' });
  expect(await connected()).toBe('1');
});
