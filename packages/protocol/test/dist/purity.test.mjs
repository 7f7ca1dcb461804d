import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const dist = new URL('../../dist/', import.meta.url);

test('the built files import nothing but each other', async () => {
  const names = await readdir(dist, { recursive: true });
  const files = names.filter((name) => name.endsWith('.js'));
  assert.ok(files.includes('index.js') && files.some((name) => name.includes('testing')));
  for (const file of files) {
    const text = await readFile(new URL(file, dist), 'utf8');
    const imported = [...text.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)].map((m) => m[1]);
    const foreign = imported.filter((name) => !/^\.\.?\//.test(name));
    assert.deepEqual(foreign, [], file);
  }
});

test('the built entries name no Node global', async () => {
  for (const file of ['index.js', 'testing/index.js']) {
    const text = await readFile(new URL(file, dist), 'utf8');
    assert.doesNotMatch(text, /\b(process|Buffer|require|setImmediate|__dirname)\b/, file);
  }
});

test('the built entries work', async () => {
  const { HermesError, ModelError } = await import(new URL('index.js', dist));
  const { scriptedModel } = await import(new URL('testing/index.js', dist));
  assert.ok(HermesError.isInstance(new ModelError('AUTH', 'no key')));
  assert.equal(scriptedModel('Done.').modelId, 'scripted');
});
