import { HermesError } from '@hermes/protocol';
import { describe, expect, it } from 'vitest';
import { startRolloutServer } from '../src/index.ts';
import { openServer, plainDefinition, scripted } from './_server.ts';

describe('a request that cannot be served', () => {
  it.each([
    [{ index: 0, sampling: { temprature: 1 } }, 'temprature'],
    [{ index: 0, n: 0 }, 'n: '],
    [{}, 'name one item'],
    [{ index: 0, item_id: 'item-0' }, 'name one item'],
    [{ index: 0, enviroment: 'plain' }, 'enviroment'],
    [{ index: 0, environment: 'other' }, 'There are: plain'],
    [{ index: 9 }, 'there is no item 9'],
    [{ item_id: 'none' }, 'there is no none'],
  ])('%j is refused with what is wrong', async (body, message) => {
    const { ask } = await openServer();
    const answer = await ask('/rollouts', body);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body.error.message).toContain(message);
  });

  it('asks for the environment where there are several', async () => {
    const environments = ['a', 'b'].map((id) => ({
      definition: plainDefinition({}, id),
      config: {},
    }));
    const { ask } = await openServer({ environments });
    const { body } = await ask('/rollouts', { index: 0 });
    expect(body.error.message).toBe('environment: name one of a, b.');
  });

  it('shows nothing but its health without the token', async () => {
    const { ask } = await openServer({ token: 'secret' });
    expect((await ask('/health')).status).toBe(200);
    for (const path of ['/environments', '/environments/plain/items'])
      expect((await ask(path)).status).toBe(401);
    expect((await ask('/rollouts', { index: 0 })).status).toBe(401);
    const bearer = { authorization: 'Bearer secret' };
    expect((await ask('/rollouts', { index: 0 }, bearer)).status).toBe(200);
  });

  it('is not started at a port that is taken', async () => {
    const { server } = await openServer();
    const { port } = new URL(server.baseUrl);
    await expect(openServer({ port: Number(port) })).rejects.toThrow('Choose another port');
  });

  it('is not started for other machines without a token', async () => {
    const starting = startRolloutServer({
      environments: [{ definition: plainDefinition(), config: {} }],
      openModel: scripted('right'),
      run: { sandboxes: null, sinks: [] },
      host: '0.0.0.0',
    });
    await expect(starting).rejects.toThrow('0.0.0.0 is reached by others: give a token');
  });

  it.each([
    ['/rollouts', undefined, 405, '/rollouts takes POST.'],
    ['/rollout', { index: 0 }, 404, 'There is no /rollout.'],
    ['/environments/other/items', undefined, 404, 'there is no other'],
  ])('%s with %j is answered with %i', async (path, body, status, message) => {
    const { ask } = await openServer();
    const answer = await ask(path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toContain(message);
  });

  it('tells what is wrong with the model that was asked for', async () => {
    const { ask } = await openServer({
      openModel: ({ name }) => {
        throw new HermesError('config', 'CONFIG', `model.name: there is no ${name}`);
      },
    });
    const { status, body } = await ask('/rollouts', { index: 0, model: { name: 'x' } });
    expect([status, body.error]).toEqual([
      400,
      { code: 'config', message: 'model.name: there is no x' },
    ]);
  });
});
