import { expect, it } from 'vitest';
import { createOpenAiModel } from '../src/index.ts';

const good = { baseUrl: 'http://localhost:8000/v1', model: 'tiny' };

it('makes a model without any I/O', () => {
  expect(createOpenAiModel({ ...good, contextTokens: 4096, stream: false })).toMatchObject({
    specificationVersion: 'v1',
    provider: 'openai',
    modelId: 'tiny',
    capabilities: {
      tokenIds: false,
      images: true,
      toolChoice: true,
      streaming: false,
      contextTokens: 4096,
    },
  });
  expect(createOpenAiModel(good).capabilities).toMatchObject({
    streaming: true,
    contextTokens: null,
  });
});

it.each([
  ['baseUrl', { baseUrl: 'localhost:8000' }],
  ['baseUrl', { baseUrl: '' }],
  ['baseUrl', { baseUrl: 'ftp://host/v1' }],
  ['baseUrl', { baseUrl: 'http://user:password@host/v1' }],
  ['baseUrl', { baseUrl: 'http://host/v1?key=secret' }],
  ['model', { model: '' }],
  ['apiKey', { apiKey: 'sk-secret\n' }],
  ['apiKey', { apiKey: '' }],
  ['headers.x-team', { headers: { 'x-team': 'ü' } }],
  ['headers', { headers: { 'x team': 'secret' } }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['stallMs', { stallMs: 1.5 }],
  ['maxAttempts', { maxAttempts: 0 }],
  ['retryDelayMs', { retryDelayMs: -1 }],
  ['maxRetryAfterMs', { maxRetryAfterMs: Number.NaN }],
  ['contextTokens', { contextTokens: -1 }],
  ['maxRetries', { maxRetries: 5 }],
])('refuses a wrong %s by its name, and keeps its secrets', (name, wrong) => {
  const create = () => createOpenAiModel({ ...good, ...wrong });
  expect(create).toThrow(expect.objectContaining({ code: 'CONFIG', boundary: 'model' }));
  expect(create).toThrow(new RegExp(`^The setting ${name} of .*\\.$`));
  expect(create).not.toThrow(/secret|password/);
});
