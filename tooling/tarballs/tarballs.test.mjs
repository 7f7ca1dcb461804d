import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installOutside, packAll, temporaryFolder } from './index.js';

let packed;
let tarballs;
let outside;

before(async () => {
  packed = await temporaryFolder();
  tarballs = await packAll(packed);
  outside = await installOutside(tarballs, [...tarballs.keys()]);
});

after(async () => {
  await outside?.dispose();
  if (packed !== undefined) await rm(packed, { recursive: true });
});

test('every published package can be imported from its tarball', async () => {
  const names = [...tarballs.keys()];
  const script = `for (const name of ${JSON.stringify(names)}) { const module = await import(name); if (Object.keys(module).length === 0) throw new Error(name + ' exports nothing'); }`;
  const { code, stderr } = await outside.run(process.execPath, [
    '--input-type=module',
    '-e',
    script,
  ]);
  assert.equal(code, 0, stderr);
});

test('the installed command evaluates the smoke tasks with the oracle', async () => {
  const { code, stdout, stderr } = await outside.run('npx', [
    'hermes',
    'evaluate',
    'smoke',
    '--model',
    'oracle',
    '--json',
    '--run-dir',
    'run',
  ]);
  assert.equal(code, 0, stderr);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1));
  assert.equal(summary.type, 'summary');
  assert.ok(summary.total >= 14, `only ${summary.total} tasks`);
  assert.deepEqual([summary.passed, summary.failed, summary.errored], [summary.total, 0, 0]);
});

test('the installed command explains itself and refuses wrong usage', async () => {
  const help = await outside.run('npx', ['hermes', '--help']);
  assert.equal(help.code, 0);
  assert.match(help.stdout, /evaluate/);
  const missing = await outside.run('npx', ['hermes', 'evaluate', 'smoke']);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /oracle/);
});

test('an environment outside the workspace runs by its path', async () => {
  await writeFile(join(outside.folder, 'empty-answer.js'), environmentText);
  const { code, stdout, stderr } = await outside.run('npx', [
    'hermes',
    'evaluate',
    './empty-answer.js',
    '--model',
    'noop',
    '--json',
    '--run-dir',
    'own',
  ]);
  assert.equal(code, 0, stderr);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1));
  assert.deepEqual([summary.total, summary.passed, summary.errored], [1, 1, 0]);
});

const environmentText = `
export const anyAnswer = {
  id: 'any-answer', version: '1.0.0', description: 'Passes with any answer at all.',
  config: { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) } },
  open: async () => ({
    datasetRevision: '1', toolsets: [],
    async *items() { yield { id: 'one', data: null }; },
    prompt: () => [{ role: 'user', content: 'Say anything.' }],
    computeReward: async () => 1,
  }),
};
`;
