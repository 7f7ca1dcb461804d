import { describe, expect, it } from 'vitest';
import { hello, openGateway, scriptedBackend } from './_gateway.ts';

const CHAT = '/v1/chat/completions';
const servers = [{ base_url: 'http://one', server_type: 'sglang' }];

describe('the servers behind a gateway', () => {
  it('are shown', async () => {
    const backend = scriptedBackend('hi', {
      servers: () => [
        { baseUrl: 'http://one', isHealthy: true },
        { baseUrl: 'http://two', isHealthy: false },
      ],
    });
    const { ask } = await openGateway(backend);
    expect((await ask('GET', '/health')).body).toMatchObject({ servers: 2, healthy_servers: 1 });
    expect((await ask('GET', '/servers')).body.servers).toHaveLength(2);
    expect((await ask('GET', '/v1/models')).body.data).toMatchObject([{ id: 'scripted' }]);
  });

  it('are set up later: before that agents are told to wait', async () => {
    const given: unknown[] = [];
    const { ask } = await openGateway(null, {
      setup: async (setup) => {
        given.push(setup);
        return scriptedBackend('hi');
      },
    });
    expect((await ask('POST', `/s${CHAT}`, hello)).body.error).toMatchObject({ code: 'no_model' });
    expect((await ask('GET', '/health')).body.status).toBe('no_model');
    expect((await ask('POST', '/setup', { model_name: 'm', servers })).status).toBe(200);
    expect(given).toEqual([
      {
        modelName: 'm',
        tokenizerName: null,
        servers: [
          {
            baseUrl: 'http://one',
            serverType: 'sglang',
            apiKey: '',
            maxRequestsAtOnce: 512,
            requestsForEval: 64,
            timeoutSeconds: 1200,
          },
        ],
      },
    ]);
    expect((await ask('POST', `/s${CHAT}`, hello)).status).toBe(200);
  });

  it('are replaced: sessions of the ones before end, and those are closed', async () => {
    let closed = 0;
    const first = scriptedBackend('one', {
      close: async () => {
        closed += 1;
      },
    });
    const { ask } = await openGateway(first, { setup: async () => scriptedBackend('two') });
    await ask('POST', `/s${CHAT}`, hello);
    await ask('POST', '/setup', { model_name: 'm', servers });
    expect(closed).toBe(1);
    expect((await ask('POST', `/s${CHAT}`, hello)).status).toBe(410);
    expect((await ask('POST', `/t${CHAT}`, hello)).body.choices[0].message.content).toBe('two');
  });

  it('are each closed once when two setups come at once', async () => {
    const closed: string[] = [];
    const named = (name: string) =>
      scriptedBackend(name, {
        close: async () => {
          closed.push(name);
        },
      });
    const { ask, gateway } = await openGateway(named('start'), {
      setup: async ({ modelName }) => named(modelName),
    });
    const setUp = (name: string) => ask('POST', '/setup', { model_name: name, servers });
    await Promise.all([setUp('one'), setUp('two')]);
    expect(closed).toHaveLength(2);
    await gateway.close();
    expect(closed.toSorted()).toEqual(['one', 'start', 'two']);
  });

  it('stay where a setup fails or is none', async () => {
    const { ask } = await openGateway(scriptedBackend('hi'), {
      setup: () => Promise.reject(new Error('not reached')),
    });
    expect((await ask('POST', '/setup', { model_name: 'm', servers })).body.error.message).toBe(
      'not reached',
    );
    expect((await ask('POST', '/setup', { model_name: 'm' })).body.error.message).toContain(
      'servers',
    );
    expect((await ask('POST', `/s${CHAT}`, hello)).status).toBe(200);
    const fixed = await openGateway(scriptedBackend('hi'));
    expect((await fixed.ask('POST', '/setup', { model_name: 'm', servers })).status).toBe(501);
  });
});

describe('wrong requests', () => {
  it.each([
    ['GET', '/nowhere/at/all', 404],
    ['GET', '/', 404],
    ['GET', '/s/v1/chat/completions', 405],
    ['PUT', '/s', 405],
  ])('%s %s', async (method, path, status) => {
    const { ask } = await openGateway(scriptedBackend('hi'));
    expect((await ask(method, path)).status).toBe(status);
  });

  it('are refused when they are no JSON or too large', async () => {
    const { gateway } = await openGateway(scriptedBackend('hi'), { bodyBytes: 100 });
    const send = (body: string) => fetch(`${gateway.baseUrl}/s${CHAT}`, { method: 'POST', body });
    expect((await send('{')).status).toBe(400);
    expect((await send(JSON.stringify({ x: 'y'.repeat(100) }))).status).toBe(413);
  });

  it('render nothing where the model has no way to', async () => {
    const { ask } = await openGateway(scriptedBackend('hi'));
    expect((await ask('POST', `/s${CHAT}/render`, hello)).status).toBe(501);
  });
});
