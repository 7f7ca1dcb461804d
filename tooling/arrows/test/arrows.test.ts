import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Arrow, checkArrows, type Finding } from '@hermes/arrows';
import { afterEach, beforeEach, expect, it } from 'vitest';

const table: Readonly<Record<string, Arrow>> = {
  '@hermes/low': { layer: 'spec', hermes: [], vendors: [] },
  '@hermes/high': { layer: 'engine', hermes: ['@hermes/low'], vendors: ['zod'] },
};

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'arrows-'));
  await write('packages/low/package.json', '{"name":"@hermes/low"}');
  await write(
    'packages/high/package.json',
    '{"name":"@hermes/high","dependencies":{"@hermes/low":"*"}}',
  );
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

it('accepts imports that follow the table', async () => {
  await write(
    'packages/high/src/index.ts',
    "import { x } from '@hermes/low';\nimport 'node:fs';\nimport './other.ts';\n",
  );
  await write('packages/high/src/other.ts', 'export {};\n');
  expect(await check()).toEqual([]);
});

it('refuses an arrow that points upward, also as a type', async () => {
  await write('packages/low/src/index.ts', "import type { x } from '@hermes/high';\n");
  expect(await messages()).toEqual(['wrong arrow: @hermes/low -> @hermes/high']);
});

it('refuses an arrow that only package.json holds', async () => {
  await write('packages/low/package.json', '{"name":"@hermes/low","dependencies":{"undici":"*"}}');
  expect(await messages()).toEqual(['@hermes/low may not depend on undici']);
});

it('refuses an allowed import that package.json does not declare', async () => {
  await write('packages/high/src/index.ts', "const zod = await import('zod');\n");
  expect(await messages()).toEqual(['undeclared import: zod is not in package.json']);
});

it('refuses a package that the table does not know', async () => {
  await write('packages/new/package.json', '{"name":"@hermes/new"}');
  expect(await messages()).toEqual(['@hermes/new is not in tooling/arrows/table.js']);
});

it('refuses relative imports that leave the package', async () => {
  await write('packages/high/src/index.ts', "import '../../low/src/index.ts';\n");
  expect(await messages()).toEqual(['relative import leaves the package: ../../low/src/index.ts']);
});

it('finds import cycles between files', async () => {
  await write('packages/low/src/a.ts', "import './b.ts';\n");
  await write('packages/low/src/b.ts', "import './a.ts';\n");
  expect((await messages()).join()).toMatch(/import cycle: packages\/low\/src\/[ab]\.ts -> /);
});

it('lets types refer to each other across files', async () => {
  await write('packages/low/src/a.ts', "import type { B } from './b.ts';\n");
  await write('packages/low/src/b.ts', "import type { A } from './a.ts';\n");
  expect(await check()).toEqual([]);
});

it('finds cycles in the table itself', async () => {
  const cyclic = {
    ...table,
    '@hermes/low': { layer: 'spec', hermes: ['@hermes/high'], vendors: [] },
  };
  expect((await checkArrows(root, cyclic)).map((finding) => finding.place)).toContain(
    'tooling/arrows/table.js',
  );
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

function check(): Promise<readonly Finding[]> {
  return checkArrows(root, table);
}

async function messages(): Promise<readonly string[]> {
  return (await check()).map((finding) => finding.message);
}
