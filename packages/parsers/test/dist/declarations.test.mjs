import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);

test('the declarations promise no property whose name is shortened in the built files', async () => {
  const shortened = JSON.parse(await readFile(new URL('internal-names.json', root), 'utf8'));
  const names = await readdir(new URL('dist/', root), { recursive: true });
  const declarations = names.filter((name) => name.endsWith('.d.ts'));
  assert.ok(declarations.includes('index.d.ts'));
  for (const file of declarations) {
    const text = await readFile(new URL(`dist/${file}`, root), 'utf8');
    const declared = [...text.matchAll(/^\s+(?:\w+ )*(\w+)(?=[?(:])/gm)].map((match) => match[1]);
    const wrong = declared.filter((name) => shortened.includes(name));
    assert.deepEqual(wrong, [], file);
  }
});
