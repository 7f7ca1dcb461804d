import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { checkOpenAiModel } from '../src/index.ts';
import {
  refusal,
  serverBroken,
  startFakeOpenAiServer,
  unknownModel,
} from '../src/testing/index.ts';

const signal = new AbortController().signal;

it('asks nothing of a model that is on the list', async () => {
  await using server = await startFakeOpenAiServer({ answers: [], models: ['tiny'] });
  await checkOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }, { signal });
  expect(server.requests).toEqual([]);
});

it('asks for one token where the model is not on the list, and believes the answer', async () => {
  await using server = await startFakeOpenAiServer({ answers: ['Hi'] });
  await checkOpenAiModel({ baseUrl: server.baseUrl, model: 'an-alias' }, { signal });
  expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([1]);
});

it.each([
  ['an unknown model', unknownModel('tiny'), 'NOT_FOUND'],
  ['a key that may not use it', refusal(403, 'Not for you.', 'x'), 'AUTH'],
])('throws for %s what every call would end with', async (_what, answer, code) => {
  await using server = await startFakeOpenAiServer({ answers: () => answer });
  const check = checkOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }, { signal });
  await expect(check).rejects.toMatchObject({ code });
});

it('throws for a server that is not there', async () => {
  const server = await startFakeOpenAiServer({ answers: [] });
  await server.close();
  const check = checkOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }, { signal });
  await expect(check).rejects.toMatchObject({ code: 'CONNECTION' });
});

it('lets pass what may have passed when the run begins', async () => {
  await using server = await startFakeOpenAiServer({ answers: () => serverBroken() });
  await checkOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }, { signal });
  expect(server.requests).toHaveLength(1);
});

it('ends when it is cancelled', async () => {
  await using server = await startFakeOpenAiServer({ answers: () => ({ fault: 'hang' }) });
  const caller = new AbortController();
  const arrived = server.nextRequest();
  const options = { signal: caller.signal, effects: testEffects() };
  const check = checkOpenAiModel({ baseUrl: server.baseUrl, model: 'tiny' }, options);
  await arrived;
  caller.abort();
  await expect(check).rejects.toMatchObject({ code: 'CANCELLED' });
});
