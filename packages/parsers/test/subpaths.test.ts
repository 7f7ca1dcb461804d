import { describe, expect, it } from 'vitest';
import { getParser, listParsers } from '../src/registry.ts';

/** `qwen3_coder` is exported as `qwen3CoderParser`. */
function exportName(name: string): string {
  return `${name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Parser`;
}

describe('each name and alias is a subpath of the package, letter for letter', () => {
  it.each(listParsers())('%s', async (name) => {
    const module = (await import(`../src/formats/${name}.ts`)) as Readonly<Record<string, unknown>>;
    expect(Object.keys(module)).toEqual([exportName(name)]);
    expect(module[exportName(name)]).toBe(getParser(name));
  });
});
