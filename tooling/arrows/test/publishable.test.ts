import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly license?: string;
  readonly description?: string;
  readonly engines?: { readonly node?: string };
  readonly repository?: { readonly directory?: string };
  readonly files?: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> };
}

const directories = ['packages', 'apps'].flatMap((layer) =>
  readdirSync(join(root, layer)).map((name) => `${layer}/${name}`),
);

describe.each(directories)('%s', (directory) => {
  const manifest = JSON.parse(read(directory, 'package.json')) as Manifest;

  it('says what it is, under which license, for which Node, and where it lives', () => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      engines: { node: '>=20.19' },
      repository: { directory },
      sideEffects: false,
    });
    expect(manifest.description?.length).toBeGreaterThan(20);
    expect(manifest.files).toContain('dist');
    expect(read(directory, 'LICENSE')).toBe(read('.', 'LICENSE'));
  });

  it('has a README that names the package and fits on two screens', () => {
    const lines = read(directory, 'README.md').split('\n');
    expect(lines[0]).toContain(manifest.name);
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThan(200);
  });

  it('publishes the same entries that it offers here, without the source condition', () => {
    const { exports, publishConfig } = manifest;
    expect(Object.keys(publishConfig.exports)).toEqual(Object.keys(exports));
    expect(JSON.stringify(publishConfig.exports)).not.toContain('@hermes/source');
  });

  it('builds one entry for each export', () => {
    const config = read(directory, 'tsup.config.ts');
    const sources = [...config.matchAll(/'(src\/[^']+\.ts)'/g)].map((match) => match[1]);
    const exported = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'object' && entry !== null && '@hermes/source' in entry
        ? [String(entry['@hermes/source']).replace('./', '')]
        : [],
    );
    // A pattern stands for a folder, which the configuration reads.
    const isBuilt = (entry: string) =>
      entry.includes('*')
        ? config.includes(entry.slice(0, entry.indexOf('*')))
        : sources.includes(entry);
    expect(exported.filter((entry) => !isBuilt(entry))).toEqual([]);
    const extra = sources.filter((entry) => entry !== undefined && !exported.includes(entry));
    expect(extra.filter((entry) => entry !== 'src/main.ts')).toEqual([]);
  });
});

function read(directory: string, file: string): string {
  return readFileSync(join(root, directory, file), 'utf8');
}
