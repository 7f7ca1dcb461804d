/** The provider as a third party would have it: outside the workspace, from packed tarballs. It passes the kit and runs the smoke tasks. */
import { strict as assert } from 'node:assert';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOutside, packAll, temporaryFolder } from '@hermes/tarballs';

const here = fileURLToPath(new URL('.', import.meta.url));
const files = ['package.json', 'folder-provider.js', 'conformance.test.js'];

const packed = await temporaryFolder();
const tarballs = await packAll(packed);
const outside = await installOutside(tarballs, [...tarballs.keys()], { vitest: '^4.1.12' });
try {
  await mkdir(join(outside.folder, 'that-package'));
  for (const file of files) await cp(join(here, file), join(outside.folder, 'that-package', file));
  await passesTheKit();
  await runsTheSmokeTasks();
} finally {
  await outside.dispose();
  await rm(packed, { recursive: true });
}

async function passesTheKit() {
  const kit = ['vitest', 'run', '--reporter=dot', 'that-package/conformance.test.js'];
  const { code, stdout, stderr } = await outside.run('npx', kit);
  assert.equal(
    code,
    0,
    `the conformance kit failed:\n${stdout.slice(-6000)}\n${stderr.slice(-2000)}`,
  );
}

async function runsTheSmokeTasks() {
  const { code, stdout, stderr } = await outside.run('npx', [
    'hermes',
    'evaluate',
    'smoke',
    '--model',
    'oracle',
    '--sandbox',
    './that-package',
    '--json',
    '--run-dir',
    'run',
  ]);
  assert.equal(code, 0, stderr);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1));
  assert.ok(summary.total >= 14);
  assert.deepEqual([summary.passed, summary.failed, summary.errored], [summary.total, 0, 0]);
}
