/** The trainer as a stranger would have it: outside the workspace, plain JavaScript, one packed tarball and nothing else. It learns. */
import { strict as assert } from 'node:assert';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOutside, packAll, temporaryFolder } from '@hermes/tarballs';

const here = fileURLToPath(new URL('.', import.meta.url));
const packed = await temporaryFolder();
const outside = await installOutside(await packAll(packed), ['@hermes/parsers']);
try {
  for (const file of ['trainer.js', 'main.js'])
    await cp(join(here, file), join(outside.folder, file));
  const { code, stdout, stderr } = await outside.run('node', ['main.js']);
  assert.equal(code, 0, stderr);
  const { right, first, last } = JSON.parse(stdout);
  assert.ok(right > 0.95, `it writes the right call with probability ${right}`);
  assert.ok(first.includes(-0.5), 'calls that were cut off were seen and punished');
  assert.equal(last.reward, 1);
  assert.ok(last.used < 19, 'generation stopped at the end of the call');
  assert.deepEqual(await installed(outside.folder), ['@hermes/parsers']);
} finally {
  await outside.dispose();
  await rm(packed, { recursive: true });
}

async function installed(folder) {
  const scopes = await readdir(join(folder, 'node_modules'));
  const names = scopes.filter((name) => !name.startsWith('.'));
  const inside = await Promise.all(
    names.map(async (scope) =>
      (await readdir(join(folder, 'node_modules', scope))).map((name) => `${scope}/${name}`),
    ),
  );
  return inside.flat();
}
