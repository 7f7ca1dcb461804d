import type { Toolset } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { seededRandom } from '@hermes/protocol/testing';
import { describe, expect, it } from 'vitest';
import type { ToolResources, ToolsetChoice } from '../src/index.ts';
import { resolveToolsets } from '../src/index.ts';

const toolset = (name: string): [string, Toolset<ToolResources>] => [
  name,
  { name, toolNames: [], open: () => Promise.resolve({ tools: [] }) },
];
const catalog = {
  toolsets: new Map([toolset('terminal'), toolset('file'), toolset('web')]),
  includes: {
    work: ['terminal', 'file'],
    everyday: ['work', 'web'],
    loop: ['pool', 'file'],
    pool: ['loop', 'web'],
    shell: ['terminal'],
  },
};
const resolve = (choice: ToolsetChoice, seed = 1): ReturnType<typeof resolveToolsets> =>
  resolveToolsets(catalog, choice, seededRandom(seed));
const names = (choice: ToolsetChoice): readonly string[] =>
  resolve(choice).toolsets.map(({ name }) => name);

describe('names', () => {
  it.each<[string, ToolsetChoice, readonly string[]]>([
    ['a name', { enabled: ['file'] }, ['file']],
    ['names in any order, twice', { enabled: ['web', 'file', 'web'] }, ['file', 'web']],
    ['a composite', { enabled: ['work'] }, ['terminal', 'file']],
    ['a composite of composites', { enabled: ['everyday'] }, ['terminal', 'file', 'web']],
    ['composites that include each other', { enabled: ['loop'] }, ['file', 'web']],
    ['an alias', { enabled: ['shell'] }, ['terminal']],
    ['a name of older configurations', { enabled: ['file_tools'] }, ['file']],
    ['a composite that every catalog has', { enabled: ['debugging'] }, ['terminal', 'file', 'web']],
    ['all', { all: true }, ['terminal', 'file', 'web']],
    ['the name all', { enabled: ['all'] }, ['terminal', 'file', 'web']],
    ['a star', { enabled: ['*'] }, ['terminal', 'file', 'web']],
  ])('understands %s', (_what, choice, expected) => {
    expect(names(choice)).toEqual(expected);
  });

  it('refuses an unknown name, with the nearest and the list', () => {
    const unknown = () => resolve({ enabled: ['termnal'] });
    expect(unknown).toThrow(/"termnal".*Did you mean "terminal"\?.*everyday/);
    try {
      unknown();
    } catch (error) {
      expect(HermesError.isInstance(error) && error).toMatchObject({
        boundary: 'config',
        code: 'CONFIG',
        details: { name: 'termnal', nearest: 'terminal' },
      });
    }
    expect(() => resolve({ all: true, disabled: ['flie'] })).toThrow(/"file"/);
    expect(() => resolve({ distribution: 'sciense' })).toThrow(/"science"/);
  });

  it('knows the front ends of older configurations by their form', () => {
    const { warnings } = resolve({ enabled: ['file', 'hermes-matrix'] });
    expect(warnings).toEqual([expect.stringContaining('not provided here: hermes-matrix')]);
  });

  it('warns once of all that is known but not provided, and of an empty result', () => {
    const { toolsets, warnings } = resolve({ enabled: ['moa', 'file', 'tts', 'hermes-cli'] });
    expect(toolsets).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('moa, tts, hermes-cli');
    expect(resolve({ enabled: ['moa'] }).warnings).toHaveLength(2);
    expect(resolve({ enabled: ['file'] }).warnings).toEqual([]);
  });
});

describe('disabled', () => {
  it.each<[string, ToolsetChoice, readonly string[]]>([
    [
      'a toolset, whatever brought it',
      { enabled: ['work', 'file'], disabled: ['file'] },
      ['terminal'],
    ],
    ['a toolset by its alias', { enabled: ['work'], disabled: ['shell'] }, ['file']],
    ['a composite', { enabled: ['everyday'], disabled: ['work'] }, ['web']],
    ['not what another name brings', { enabled: ['work', 'file'], disabled: ['work'] }, ['file']],
    [
      'not what another composite brings',
      { enabled: ['work', 'web'], disabled: ['debugging'] },
      ['terminal', 'file', 'web'],
    ],
    ['a composite out of all', { all: true, disabled: ['work'] }, ['web']],
    [
      'but not what all and a name bring',
      { enabled: ['all', 'file'], disabled: ['work'] },
      ['file', 'web'],
    ],
    [
      'from what a distribution drew',
      { distribution: 'terminal_web', disabled: ['web'] },
      ['terminal', 'file'],
    ],
  ])('takes away %s', (_what, choice, expected) => {
    expect(names(choice)).toEqual(expected);
  });
});

describe('distributions', () => {
  it('draws the same again from the same seed, and names what it drew', () => {
    const draws = Array.from({ length: 40 }, (_, seed) =>
      resolve({ distribution: 'balanced' }, seed),
    );
    const again = resolve({ distribution: 'balanced' }, 7);
    expect(again.sampled).toEqual(draws[7]?.sampled);
    expect(again.toolsets.map(({ name }) => name).sort()).toEqual([...again.sampled].sort());
    expect(new Set(draws.map(({ sampled }) => sampled.join())).size).toBeGreaterThan(4);
    expect(draws.every(({ sampled }) => sampled.length > 0)).toBe(true);
  });

  it('takes the likeliest provided one when nothing was drawn', () => {
    const never = { next: () => 0.999, fork: () => never };
    const { sampled } = resolveToolsets(catalog, { distribution: 'reasoning' }, never);
    expect(sampled).toEqual(['web']);
  });

  it('skips what is not provided, with a warning', () => {
    const { warnings } = resolve({ distribution: 'default' });
    expect(warnings[0]).toContain('vision, image_gen, moa, browser');
  });
});

it('says to which toolset a tool belongs that is named in its place', () => {
  const file: Toolset<ToolResources> = {
    name: 'file',
    toolNames: ['read_file'],
    open: () => Promise.resolve({ tools: [] }),
  };
  const choose = (): unknown =>
    resolveToolsets(
      { toolsets: new Map([['file', file]]), includes: {} },
      { enabled: ['read_file'] },
      seededRandom(1),
    );
  expect(choose).toThrow('"read_file" is a tool of the toolset file: name the toolset');
});
