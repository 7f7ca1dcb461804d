import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

// The bundler that builds this package is a dependency of its build tool.
const fromHere = createRequire(import.meta.url);
const { build } = createRequire(fromHere.resolve('tsup'))('esbuild');

const limits = { 'formats/hermes.js': 6 * 1024, 'index.js': 40 * 1024 };

for (const [entry, limit] of Object.entries(limits)) {
  test(`${entry} is at most ${limit} bytes, minified and gzipped`, async () => {
    const size = await bundledSize(fileURLToPath(new URL(`../../dist/${entry}`, import.meta.url)));
    assert.ok(size <= limit, `it is ${size} bytes`);
  });
}

async function bundledSize(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
