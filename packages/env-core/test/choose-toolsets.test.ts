import type { Toolset } from '@hermes/protocol';
import { seededRandom } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { chooseToolsets, type ToolsetSettings, type ToolsetSources } from '../src/index.ts';

function toolset(name: string): Toolset {
  return { name, toolNames: [`use_${name}`], open: async () => ({ tools: [] }) };
}

const nothing = { enabledToolsets: null, disabledToolsets: null, distribution: null };
const environment = [toolset('terminal'), toolset('file')];

async function chosen(
  settings: Partial<ToolsetSettings>,
  sources: Partial<ToolsetSources> = {},
  seed = 1,
): Promise<readonly string[] | null> {
  const random = seededRandom(seed);
  const all = { environment, ...sources };
  const { options } = await chooseToolsets({ ...nothing, ...settings }, all, random);
  const names = options.toolsets?.({ index: 0, random }).map(({ name }) => name);
  return names ?? null;
}

it('leaves the choice to the environment where the configuration says nothing', async () => {
  expect(await chosen({})).toBeNull();
  expect(await chosen({ disabledToolsets: ['file'] })).toEqual(['terminal']);
});

it('follows includes', async () => {
  const sources = { provided: [toolset('todo')], includes: { desk: ['file', 'todo'] } };
  expect(await chosen({ enabledToolsets: ['desk'] }, sources)).toEqual(['todo', 'file']);
});

it.each(['./tools.js', '@someone/tools', 'npm:tools'])('loads the toolsets of %s', async (name) => {
  const loaded: string[] = [];
  const load = async (specifier: string) => {
    loaded.push(specifier);
    return { toolsets: [toolset('paint'), toolset('music')] };
  };
  expect(await chosen({ enabledToolsets: ['file', name] }, { load })).toEqual([
    'file',
    'paint',
    'music',
  ]);
  expect(loaded).toEqual([name.replace('npm:', '')]);
});

it('calls a module that makes its toolsets', async () => {
  const load = async () => ({ createToolsets: async () => [toolset('paint')] });
  expect(await chosen({ enabledToolsets: ['./tools.js'] }, { load })).toEqual(['paint']);
});

it.each([
  [{}, /brings no toolsets/],
  [{ toolsets: [] }, /brings no toolsets/],
  [{ toolsets: [{ name: 'half' }] }, /brings no toolsets/],
  [{ toolsets: [toolset('file')] }, /one of that name already/],
])('refuses the module %j', async (module, message) => {
  const load = async () => module;
  await expect(chosen({ enabledToolsets: ['./tools.js'] }, { load })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringMatching(message),
  });
});

it('names the nearest toolset for one that nobody knows', async () => {
  await expect(chosen({ enabledToolsets: ['terminl'] })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining('Did you mean "terminal"'),
  });
});

it('draws a distribution by the seed of the group', async () => {
  const sources = { environment: ['web', 'vision', 'terminal', 'file'].map(toolset) };
  const draws = [1, 1, 2, 3, 4, 5].map((seed) =>
    chosen({ distribution: 'balanced' }, sources, seed),
  );
  const drawn = await Promise.all(draws);
  expect(drawn[0]).toEqual(drawn[1]);
  expect(new Set(drawn.map(String)).size).toBeGreaterThan(2);
});
