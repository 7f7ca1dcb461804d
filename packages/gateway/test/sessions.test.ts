import { fakeClock, scriptedTokenModel, testEffects } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import { hello, openGateway, scriptedBackend } from './_gateway.ts';

const CHAT = '/v1/chat/completions';

describe('a session', () => {
  it('opens by its own route, with what was asked of it', async () => {
    const asked: unknown[] = [];
    const backend = scriptedBackend('hi', {
      open: (session) => {
        asked.push(session);
        return scriptedTokenModel('hi');
      },
    });
    const { ask, gateway } = await openGateway(backend);
    const wanted = { tool_parser: 'mistral', track_tree: false, base_url: 'http://one' };
    const { body } = await ask('POST', '/sessions/create', wanted);
    expect(body).toMatchObject({
      model_name: 'scripted',
      tool_parser: 'mistral',
      api_key: null,
    });
    expect(body.base_url).toBe(`${gateway.baseUrl}/${body.uuid}/v1`);
    expect(asked).toEqual([{ sessionId: body.uuid, toolParser: 'mistral', baseUrl: 'http://one' }]);
    await ask('POST', `/${body.uuid}${CHAT}`, hello);
    const { sessions } = (await ask('GET', '/sessions')).body;
    expect(sessions).toMatchObject([{ uuid: body.uuid, calls: 1, num_nodes: 1 }]);
    expect(asked).toHaveLength(1);
  });

  it('opens at the first call, named by the path or by a header; with neither the answer is 400', async () => {
    const { ask, gateway } = await openGateway(scriptedBackend(['a', 'b']));
    expect((await ask('POST', `/one${CHAT}`, hello)).status).toBe(200);
    expect((await ask('POST', CHAT, hello, { 'x-session-id': 'two' })).status).toBe(200);
    expect((await ask('POST', CHAT, hello)).body.error).toMatchObject({ code: 'session_missing' });
    expect(gateway.segments('one')).toHaveLength(1);
    expect(gateway.segments('two')).toHaveLength(1);
    expect(gateway.segments('three')).toBeNull();
  });

  it('is one, also when two first calls come at once', async () => {
    let opened = 0;
    const backend = scriptedBackend('hi', {
      open: async () => {
        opened += 1;
        await Promise.resolve();
        return scriptedTokenModel(['a', 'b']);
      },
    });
    const { ask } = await openGateway(backend);
    const answers = await Promise.all([1, 2].map(() => ask('POST', `/s${CHAT}`, hello)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(opened).toBe(1);
  });

  it('that was deleted is gone for good: a late call does not begin without its history', async () => {
    const { ask } = await openGateway(scriptedBackend('hi'));
    await ask('POST', `/s${CHAT}`, hello);
    expect((await ask('DELETE', '/s')).body).toEqual({ status: 'deleted', uuid: 's' });
    expect((await ask('DELETE', '/s')).status).toBe(404);
    expect((await ask('GET', '/s/nodes')).status).toBe(404);
    expect((await ask('POST', `/s${CHAT}`, hello)).body.error).toMatchObject({
      code: 'session_ended',
    });
    expect((await ask('POST', '/sessions/create', { session_id: 's' })).status).toBe(410);
  });

  it('that nobody uses ends and makes room; one with a running call does not', async () => {
    const clock = fakeClock();
    const script = ({ messages }: { readonly messages: readonly unknown[] }) =>
      messages.length === 2 ? { hang: true } : 'hi';
    const { ask, gateway } = await openGateway(scriptedBackend(script), {
      effects: { ...testEffects(), clock },
      sessionIdleMs: 1_000,
      maxSessions: 2,
    });
    await ask('POST', `/dropped${CHAT}`, hello);
    const long = ask('POST', `/running${CHAT}`, {
      messages: [...hello.messages, ...hello.messages],
    });
    await expect.poll(() => gateway.segments('running')).toEqual([]);
    expect((await ask('POST', `/more${CHAT}`, hello)).body.error).toMatchObject({
      code: 'too_many_sessions',
    });
    await clock.advance(5_000);
    await expect.poll(() => gateway.segments('dropped')).toBeNull();
    expect(gateway.segments('running')).toEqual([]);
    expect((await ask('POST', `/more${CHAT}`, hello)).status).toBe(200);
    await gateway.endSession('running');
    expect((await long).status).toBe(503);
  });

  it.each([
    '/a%2Fb/v1/chat/completions',
    '/%zz/v1/chat/completions',
    '/a b/nodes',
    `/${'x'.repeat(129)}/nodes`,
  ])('is not named by %s', async (path) => {
    const { ask } = await openGateway(scriptedBackend('hi'));
    expect([400, 404]).toContain((await ask('POST', path, hello)).status);
  });
});
