import { loadRunConfig } from '@hermes/env-core';
import type { JsonObject } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { endpointOf } from '../src/openai/endpoint.ts';

/** Where the requests of a server go, and where their key comes from. */
async function endpoint(
  openai: JsonObject,
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly [string, string | null, string]> {
  const source = { kind: 'default', name: 'test' } as const;
  const { servers } = await loadRunConfig({ layers: [{ openai, source }] });
  const [server] = servers;
  if (server === undefined) throw new Error('a configuration has a server');
  const { baseUrl, apiKey, keySource } = endpointOf(server, 'm', variables);
  return [baseUrl, apiKey, keySource];
}

it.each([
  ['vllm', 'http://localhost:9001', 'http://localhost:9001/v1'],
  ['sglang', 'http://localhost:9001/', 'http://localhost:9001/v1'],
  ['vllm', 'http://localhost:9001/v1', 'http://localhost:9001/v1'],
  ['vllm', 'http://localhost:9001/other', 'http://localhost:9001/other'],
  ['openai', 'http://localhost:9001', 'http://localhost:9001'],
])('the chat API of %s at %s is %s', async (type, url, expected) => {
  expect((await endpoint({ server_type: type, base_url: url }))[0]).toBe(expected);
});

it('a host with a key variable of its own is given that key, and no other host is', async () => {
  const variables = { OPENROUTER_API_KEY: 'router', OPENAI_API_KEY: 'usual' };
  const router = { base_url: 'https://openrouter.ai/api/v1' };
  expect((await endpoint(router, variables)).slice(1)).toEqual(['router', 'OPENROUTER_API_KEY']);
  expect((await endpoint({ base_url: 'http://a/v1' }, variables))[1]).toBe('usual');
  expect((await endpoint(router, { OPENAI_API_KEY: 'usual' }))[1]).toBe('usual');
  expect((await endpoint({ ...router, api_key: 'own' }, variables))[1]).toBe('own');
  expect((await endpoint({ ...router, api_key_env: 'MINE' }, { ...variables, MINE: 'm' }))[1]).toBe(
    'm',
  );
});
