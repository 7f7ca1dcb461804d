import { expect, it } from 'vitest';
import { parseDockerSettings } from '../src/settings.ts';
import { codeOf, create, openProvider } from './_docker.ts';

it('an absent daemon is one problem, in one sentence, with the fix', async () => {
  const provider = await openProvider({ host: 'unix:///nowhere/docker.sock' });
  const { ok, problems } = await provider.preflight();
  expect(ok).toBe(false);
  expect(problems.map(({ code }) => code)).toEqual(['DOCKER_UNREACHABLE']);
  expect(problems[0]?.message).toContain('unix:///nowhere/docker.sock');
  expect(problems[0]?.fix).toContain('DOCKER_HOST');
  expect(await codeOf(create(provider))).toBe('TRANSPORT');
  await provider.close();
});

it('an unknown setting is refused with the nearest known one', () => {
  expect(() => parseDockerSettings({ imag: 'x' }, {})).toThrow(/Did you mean 'image'/);
});

it('a wrong value names its key', () => {
  expect(() => parseDockerSettings({ host: 'here' }, {})).toThrow(/'host': give unix:/);
  for (const image of ['', 'no name', 'Oh!'])
    expect(() => parseDockerSettings({ image }, {})).toThrow(/'image': give \[HOST\/\]NAME/);
});

it('what is not set comes from the environment, and what is set wins', () => {
  const env = { DOCKER_HOST: 'tcp://there:1', TERMINAL_DOCKER_IMAGE: 'a:1' };
  expect(parseDockerSettings({}, env)).toMatchObject({ host: 'tcp://there:1', image: 'a:1' });
  expect(parseDockerSettings({ image: 'b:1' }, env).image).toBe('b:1');
  expect(parseDockerSettings({}, {}).host).toBe('unix:///var/run/docker.sock');
});

it('a sandbox without an image is refused with the setting that names one', async () => {
  const { Images } = await import('../src/images.ts');
  const { connectEngine } = await import('../src/engine.ts');
  const settings = parseDockerSettings({}, {});
  const images = new Images(connectEngine(settings), settings);
  await expect(images.ready(undefined, {})).rejects.toThrow(/TERMINAL_DOCKER_IMAGE/);
});
