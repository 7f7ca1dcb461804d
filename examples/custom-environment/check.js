/** Runs the environment as a user would, by its path, and asserts what the last line of `--json` says. */
import { strict as assert } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '@hermes/cli';

const runs = await mkdtemp(join(tmpdir(), 'hermes-example-'));
try {
  const oracle = await evaluate('oracle');
  assert.deepEqual([oracle.total, oracle.passed, oracle.failed, oracle.errored], [5, 5, 0, 0]);
  const noop = await evaluate('noop');
  assert.deepEqual([noop.total, noop.passed, noop.failed, noop.errored], [5, 0, 5, 0]);
} finally {
  await rm(runs, { recursive: true });
}

async function evaluate(model) {
  let text = '';
  const stdout = {
    write(chunk) {
      text += chunk;
    },
    isTerminal: false,
    columns: 80,
  };
  const folder = new URL('.', import.meta.url).pathname;
  const argv = [
    'evaluate',
    './environment.js',
    '--model',
    model,
    '--env.tasks',
    '5',
    '--json',
    '--run-dir',
    join(runs, model),
  ];
  assert.equal(await runCli(argv, { stdout, workingDirectory: folder }), 0);
  return JSON.parse(text.trim().split('\n').at(-1));
}
