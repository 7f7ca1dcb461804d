import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const dist = new URL('../../dist/', import.meta.url);

test('the built files import nothing but each other and name no Node global', async () => {
  const names = await readdir(dist, { recursive: true });
  const files = names.filter((name) => name.endsWith('.js'));
  assert.ok(files.includes('index.js') && files.includes('formats/hermes.js'));
  for (const file of files) {
    const text = await readFile(new URL(file, dist), 'utf8');
    const imported = [...text.matchAll(/(?:from|import)\s*\(?["']([^"']+)["']/g)].map((m) => m[1]);
    const foreign = imported.filter((name) => !/^\.\.?\//.test(name));
    assert.deepEqual(foreign, [], file);
    assert.doesNotMatch(text, /\b(process\.|Buffer\b|require\(|setImmediate|__dirname)/, file);
  }
});

test('a format alone works', async () => {
  const { hermesParser } = await import(new URL('formats/hermes.js', dist));
  const { toolCalls } = hermesParser.parse('<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>');
  assert.deepEqual(
    toolCalls.map((call) => call.function),
    [{ name: 'f', arguments: '{"a":1}' }],
  );
});
