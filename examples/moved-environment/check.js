/** Runs the moved environment under all three commands with its old configuration, offline, and asserts what comes out. */
import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTrajectoryServer } from '@hermes/atropos';
import { startFakeTrainer } from '@hermes/atropos/testing';
import { runCli } from '@hermes/cli';
import { scriptedTokenModel } from '@hermes/protocol/testing';

const here = fileURLToPath(new URL('.', import.meta.url));
const orders = await linesOf(join(here, 'orders.jsonl'));
const folder = await mkdtemp(join(tmpdir(), 'hermes-example-'));
const settings = ['--config', 'settings.yaml'];
try {
  await checkConfiguration();
  await checkEvaluate();
  await checkProcess();
  await checkServe();
} finally {
  await rm(folder, { recursive: true });
}

/** The old file holds as it is. */
async function checkConfiguration() {
  const { code, stderr } = await hermes(['config', 'check', './shop.js', ...settings]);
  assert.equal(code, 0, stderr);
}

/** The reward is right: the solutions get all of it, and doing nothing gets none. */
async function checkEvaluate() {
  for (const [model, passed] of [
    ['oracle', 5],
    ['noop', 0],
  ]) {
    const where = ['--run-dir', join(folder, model), '--json'];
    const argv = ['evaluate', './shop.js', ...settings, '--model', model, ...where];
    const { code, stdout } = await hermes(argv);
    assert.equal(code, 0);
    const summary = JSON.parse(stdout.trim().split('\n').at(-1));
    assert.deepEqual([summary.total, summary.passed, summary.errored], [5, passed, 0]);
  }
}

/** Training data: one conversation a line, with the calls and results of the tool. */
async function checkProcess() {
  const out = join(folder, 'out.jsonl');
  const argv = ['process', './shop.js', ...settings, '--model', 'oracle', '--out', out];
  assert.equal((await hermes([...argv, '--group-size', '1', '--limit', '15'])).code, 0);
  const lines = await linesOf(out);
  assert.equal(lines.length, 15);
  const [first] = lines;
  assert.equal(first.reward, 1);
  const roles = new Set(first.messages.map(({ role }) => role));
  assert.deepEqual([...roles], ['system', 'user', 'assistant', 'tool']);
}

/** Live training: a trainer makes its three steps of batches of 4. */
async function checkServe() {
  const api = await createTrajectoryServer({ port: 0 });
  try {
    const trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 4, steps: 3 });
    const where = ['--trainer-url', api.baseUrl, '--run-dir', join(folder, 'serve')];
    const model = ['--model', 'half-right'];
    const { code, stderr } = await hermes(['serve', './shop.js', ...settings, ...model, ...where]);
    assert.equal(code, 0, stderr);
    const { steps, sequences, problems } = await trainer.done;
    assert.deepEqual([steps, sequences, problems], [3, 12, []]);
  } finally {
    await api.close();
  }
}

/** Stands in for a model in training: its second attempt at each order is wrong. */
function halfRight() {
  return {
    name: 'half-right',
    description: 'right in every second attempt',
    isTrusted: true,
    choose: async () => ({
      provider: 'example',
      modelId: 'half-right',
      open: ({ identity }) => {
        const { amounts, total } = orders.find(({ id }) => id === identity.itemId);
        const [article] = Object.keys(amounts);
        const wrong = identity.attempt % 2;
        return scriptedTokenModel([
          { calls: [{ name: 'look_up_price', arguments: { article } }] },
          `That is ${total + wrong} cents.`,
        ]);
      },
    }),
  };
}

async function hermes(argv) {
  const stdout = output();
  const stderr = output();
  const options = { stdout, stderr, workingDirectory: here, models: [halfRight()] };
  const code = await runCli(argv, { ...options, environmentVariables: {} });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function output() {
  let text = '';
  return {
    write(chunk) {
      text += chunk;
    },
    isTerminal: false,
    columns: 80,
    text: () => text,
  };
}

async function linesOf(path) {
  const text = await readFile(path, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
