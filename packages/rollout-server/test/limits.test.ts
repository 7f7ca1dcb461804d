import { type ScriptedTokenModel, scriptedTokenModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import type { RolloutServerOptions } from '../src/index.ts';
import { openServer, plainDefinition, scripted } from './_server.ts';

const ONE_AT_A_TIME = { sandboxes: null, sinks: [], scheduler: { rollouts: 1 } };

/** A model that never answers, and tells when it was asked first and when that call was aborted. */
function hangingModel(): Readonly<{
  openModel: RolloutServerOptions['openModel'];
  asked: Promise<unknown>;
  aborted: Promise<unknown>;
}> {
  let open: () => ScriptedTokenModel = () => scriptedTokenModel('');
  let aborted: Promise<unknown> = Promise.resolve();
  const asked = new Promise<void>((resolve) => {
    open = () =>
      scriptedTokenModel((_request, { signal }) => {
        aborted = new Promise((settle) => signal.addEventListener('abort', settle));
        resolve();
        return { hang: true };
      });
  });
  const openModel = () => ({ provider: 'scripted', modelId: 'hanging', open });
  return { openModel, asked, aborted: asked.then(() => aborted) };
}

it('ends the rollouts as timed out when the time of the request is over, those that wait for a place too', async () => {
  const { ask } = await openServer({ openModel: scripted({ hang: true }), run: ONE_AT_A_TIME });
  const { status, body } = await ask('/rollouts', { index: 0, n: 3, timeout_seconds: 0.05 });
  expect(status).toBe(200);
  const errors = body.rollouts.map(({ error }) => `${error.reason}: ${error.message}`);
  expect(errors).toEqual(Array(3).fill('timeout: The time of the request was over'));
});

it('cancels the rollouts when the caller hangs up', async () => {
  const { openModel, asked, aborted } = hangingModel();
  const { server } = await openServer({ openModel });
  const caller = new AbortController();
  const asking = fetch(`${server.baseUrl}/rollouts`, {
    method: 'POST',
    body: '{"index":0}',
    signal: caller.signal,
  });
  await asked;
  caller.abort();
  await expect(asking).rejects.toThrow('aborted');
  await aborted;
});

it('plays so many at once as the run allows, whichever request they are of, and cancels them when it closes', async () => {
  const { openModel, asked } = hangingModel();
  const { server, ask } = await openServer({ openModel, run: ONE_AT_A_TIME });
  const asking = ask('/rollouts', { index: 0, n: 3 });
  await asked;
  expect((await ask('/health')).body).toMatchObject({ running: 1, queued: 2 });
  await server.close();
  const { rollouts } = (await asking).body;
  expect(rollouts.map(({ error }) => error.reason)).toEqual(Array(3).fill('cancelled'));
});

it('does not search for an item, or list items, longer than the request may take', async () => {
  const definition = plainDefinition({
    async *items() {
      await new Promise(() => undefined);
    },
  });
  const { ask } = await openServer({
    environments: [{ definition, config: {} }],
    requestTimeoutMs: 30,
  });
  const search = await ask('/rollouts', { item_id: 'a', timeout_seconds: 0.03 });
  expect([search.status, search.body.error.code]).toEqual([504, 'timeout']);
  expect((await ask('/environments/plain/items')).status).toBe(504);
});

it('refuses a body that is too large', async () => {
  const { ask } = await openServer({ bodyBytes: 100 });
  const { status, body } = await ask('/rollouts', { item_id: 'x'.repeat(200) });
  expect([status, body.error.code]).toEqual([413, 'body_too_large']);
});
