import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { datasetSettings } from '../src/index.ts';
import { writeTemporary } from './_helpers.ts';

const HOME = { HF_HOME: '/nowhere' };

it.each([
  [{ HF_HUB_CACHE: '/a', HUGGINGFACE_HUB_CACHE: '/b', HF_HOME: '/c' }, '/a'],
  [{ HUGGINGFACE_HUB_CACHE: '/b', HF_HOME: '/c' }, '/b'],
  [{ HF_HOME: '/c', XDG_CACHE_HOME: '/d' }, '/c/hub'],
  [{ HF_HOME: '~/c' }, join(homedir(), 'c/hub')],
  [{ XDG_CACHE_HOME: '/d' }, '/d/huggingface/hub'],
  [{}, join(homedir(), '.cache/huggingface/hub')],
])('finds the cache by %j', async (environment, cacheDir) => {
  expect((await datasetSettings(environment)).cacheDir).toBe(cacheDir);
});

it('reads the token of the environment before that of a login', async () => {
  const path = await writeTemporary('token', 'from-login\n');
  const login = { HF_HOME: dirname(path) };
  expect((await datasetSettings(login)).token).toBe('from-login');
  expect((await datasetSettings({ ...login, HF_TOKEN: 'own' })).token).toBe('own');
  expect(await datasetSettings(HOME)).not.toHaveProperty('token');
});

it('reads endpoint and offline mode', async () => {
  const settings = { ...HOME, HF_ENDPOINT: 'https://mirror.example', HF_HUB_OFFLINE: 'true' };
  expect(await datasetSettings(settings)).toMatchObject({
    endpoint: 'https://mirror.example',
    offline: true,
  });
  expect(await datasetSettings({ ...HOME, HF_HUB_OFFLINE: '0' })).toMatchObject({ offline: false });
});
