import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTelemetrySettings, wandbMode } from '../src/index.ts';
import { temporaryFolder } from './_folder.ts';

it.each([
  ['nothing', {}, null],
  ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
  ['a disabled SDK', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' }, null],
  [
    'an endpoint for everything',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' },
    { url: 'http://c:4318/v1/metrics', headers: {}, attributes: {} },
  ],
  [
    'all of it',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m/x',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team = evals ,broken',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-team=100%',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,zone=b',
      OTEL_SERVICE_NAME: 'c',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    },
    {
      url: 'http://m/x',
      headers: { authorization: 'Bearer abc', 'x-team': '100%' },
      attributes: { 'service.name': 'c', zone: 'b' },
      timeoutMs: 500,
    },
  ],
])('reads the variables of OpenTelemetry: %s', (_name, variables, settings) => {
  expect(openTelemetrySettings(variables)).toEqual(settings);
});

it.each([
  ['no_key', {}],
  ['no_key', { WANDB_API_KEY: '' }],
  ['no_key', { WANDB_MODE: 'online' }],
  ['online', { WANDB_API_KEY: 'k' }],
  ['offline', { WANDB_MODE: 'offline' }],
  ['offline', { WANDB_MODE: 'dryrun', WANDB_API_KEY: 'k' }],
  ['off', { WANDB_MODE: 'disabled', WANDB_API_KEY: 'k' }],
])('says %s where the variables are %j', async (mode, variables) => {
  expect(await wandbMode({ HOME: '/nowhere', ...variables })).toBe(mode);
});

it('finds the login that the client left, of the server that is asked for', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '.netrc'), 'machine api.wandb.ai\n  login user\n  password k\n');
  expect(await wandbMode({ HOME: folder })).toBe('online');
  expect(await wandbMode({ HOME: folder, WANDB_BASE_URL: 'https://own.example' })).toBe('no_key');
  expect(await wandbMode({ NETRC: join(folder, '.netrc') })).toBe('online');
});
