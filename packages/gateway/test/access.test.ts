import { describe, expect, it } from 'vitest';
import { startGateway } from '../src/index.ts';
import { hello, openGateway, scriptedBackend } from './_gateway.ts';

const CHAT = '/v1/chat/completions';
const bearer = (key: string | null) => ({ authorization: `Bearer ${key}` });

describe('a gateway with a token', () => {
  it('serves who has it, in either header, and tells others nothing but its health', async () => {
    const { ask } = await openGateway(scriptedBackend('hi'), { token: 'secret' });
    expect((await ask('GET', '/health')).body).toMatchObject({ status: 'ok', model: 'scripted' });
    for (const path of ['/sessions', '/servers', '/s/nodes', '/v1/models'])
      expect((await ask('GET', path)).status).toBe(401);
    expect((await ask('POST', `/s${CHAT}`, hello, bearer('wrong'))).status).toBe(401);
    expect((await ask('POST', `/s${CHAT}`, hello, bearer('secret'))).status).toBe(200);
    expect((await ask('GET', '/s/nodes', undefined, { 'x-api-key': 'secret' })).status).toBe(200);
  });

  it('gives the agent of a session a key that calls its model and nothing else', async () => {
    const { ask, gateway } = await openGateway(scriptedBackend(['a', 'b']), { token: 'secret' });
    const key = gateway.sessionKey('s');
    expect(
      (await ask('POST', '/sessions/create', { session_id: 's' }, bearer('secret'))).body.api_key,
    ).toBe(key);
    expect((await ask('POST', `/s${CHAT}`, hello, bearer(key))).status).toBe(200);
    expect((await ask('POST', `/other${CHAT}`, hello, bearer(key))).status).toBe(401);
    expect((await ask('GET', '/s/nodes', undefined, bearer(key))).status).toBe(403);
    expect((await ask('DELETE', '/s', undefined, bearer(key))).status).toBe(403);
    expect((await ask('POST', '/setup', {}, bearer(key))).status).toBe(401);
  });
});

it('is not started for other machines without a token', async () => {
  const starting = startGateway({ backend: scriptedBackend('hi'), host: '0.0.0.0' });
  await expect(starting).rejects.toThrow('0.0.0.0 is reached by others: give a token');
});

it('says that a port is taken, or none', async () => {
  const { gateway } = await openGateway(scriptedBackend('hi'));
  const port = Number(new URL(gateway.baseUrl).port);
  await expect(startGateway({ backend: null, port })).rejects.toThrow(/EADDRINUSE.*another port/);
  await expect(startGateway({ backend: null, port: 99_999 })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('99999'),
  });
});
