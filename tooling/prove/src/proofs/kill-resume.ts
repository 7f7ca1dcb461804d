import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEffects, type RunSummary } from '@hermes/env-core';
import type { RolloutRecord } from '@hermes/protocol';
import type { Proof, ProofOptions } from '../proof.ts';

const trials = 40;
const runFlags = [
  'evaluate',
  'smoke',
  '--model',
  'oracle',
  '--limit',
  '10',
  '--attempts',
  '4',
  '--concurrency',
  '4',
  '--json',
];
const sandboxes = ['local', 'host'] as const;

export const killResume: Proof = {
  name: 'kill-resume',
  claim:
    `A run of ${trials} trials is killed with SIGKILL at a random moment. The reaper then leaves no process, mount or folder, and --resume ends with every trial exactly once, ` +
    'none lost, and the statistics of an uninterrupted run.',
  fullCount: 20,
  shareCount: 2,
  async run({ seed, count, root, say }: ProofOptions) {
    const { random } = createEffects({}, seed);
    const whole = await timeWholeRun(root);
    let lost = 0;
    for (let moment = 0; moment < count; moment += 1) {
      const sandbox = sandboxes[moment % sandboxes.length] ?? 'local';
      const afterMs = Math.round(random.next() * whole.wallMs);
      const finished = await killAndResume(root, sandbox, afterMs, whole.summary);
      say(
        `moment ${moment + 1}/${count}: ${sandbox}, killed after ${afterMs} ms with ${finished} of ${trials} finished, resumed whole`,
      );
      lost += trials - finished;
    }
    return {
      trials: trials * count,
      'trials run by the resumes': lost,
      'processes, mounts or folders left': 0,
    };
  },
};

async function timeWholeRun(root: string): Promise<{ wallMs: number; summary: RunSummary }> {
  return inTemporaryFolder(async (folder) => {
    const startedMs = performance.now();
    const ended = await finish(
      start(root, folder, [...runFlags, '--run-dir', join(folder, 'run')]),
    );
    assert.equal(ended.code, 0, ended.stderr);
    return { wallMs: performance.now() - startedMs, summary: await readSummary(folder) };
  });
}

/** Returns how many trials were finished at the moment of the kill. */
function killAndResume(
  root: string,
  sandbox: string,
  afterMs: number,
  expected: RunSummary,
): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const flags = [...runFlags, '--run-dir', join(folder, 'run'), '--sandbox', sandbox];
    const killed = start(root, folder, flags);
    await Promise.race([sleep(afterMs), once(killed, 'exit')]);
    killed.kill('SIGKILL');
    await finish(killed);
    const reaped = await finish(start(root, folder, ['sandbox', 'reap', '--sandbox', sandbox]));
    assert.equal(reaped.code, 0, reaped.stderr);
    await leavesNothing(folder);
    const finished = (await readRecords(folder)).length;
    const resumed = await finish(start(root, folder, [...flags, '--resume']));
    assert.equal(resumed.code, 0, resumed.stderr);
    await leavesNothing(folder);
    await isWhole(folder, expected);
    return finished;
  });
}

/** Every trial once, and the numbers of a run that nobody killed. */
async function isWhole(folder: string, expected: RunSummary): Promise<void> {
  const records = await readRecords(folder);
  assert.equal(records.length, trials);
  assert.equal(new Set(records.map((record) => record.trialKey)).size, trials);
  assert.deepEqual(statistics(await readSummary(folder)), statistics(expected));
}

/** What a summary says of the outcome; ids and times differ between runs. */
function statistics({ runId: _runId, wallMs: _wallMs, ...rest }: RunSummary): object {
  return rest;
}

/** No process that was started below the folder, no mount below it, no sandbox folder in it. The kernel may need a moment for the last of a killed tree. */
async function leavesNothing(folder: string): Promise<void> {
  let left = await leftovers(folder);
  for (let look = 0; left.length > 0 && look < 50; look += 1) {
    await sleep(100);
    left = await leftovers(folder);
  }
  assert.equal(left.length, 0, `left behind: ${left.join('\n')}`);
}

async function leftovers(folder: string): Promise<readonly string[]> {
  const mountinfo = await readFile('/proc/self/mountinfo', 'utf8');
  const mounts = mountinfo.split('\n').filter((line) => line.includes(folder));
  const names = await readdir(folder, { recursive: true });
  const folders = names.filter((name) => /^tmp\/hermes-[^/]+\/./.test(name));
  return [...mounts, ...folders, ...(await processesOf(folder))];
}

/** Processes whose command line, environment or working directory speaks of the folder. */
async function processesOf(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )) {
    const texts = await Promise.all(
      ['cmdline', 'environ'].map((name) =>
        readFile(`/proc/${pid}/${name}`, 'utf8').catch(goneIsEmpty),
      ),
    );
    if (texts.some((text) => text.includes(folder))) found.push(`${pid}: ${texts[0]}`);
  }
  return found;
}

function goneIsEmpty(): string {
  return '';
}

async function readRecords(folder: string): Promise<readonly RolloutRecord[]> {
  const text = await readFile(join(folder, 'run/records.jsonl'), 'utf8').catch(goneIsEmpty);
  const lines = text.split('\n');
  // what stands after the last line break was being written when the process died
  return lines.slice(0, -1).map((line) => JSON.parse(line) as RolloutRecord);
}

async function readSummary(folder: string): Promise<RunSummary> {
  return JSON.parse(await readFile(join(folder, 'run/summary.json'), 'utf8')) as RunSummary;
}

/** The command from its sources, as one process, with a temporary folder of its own. */
function start(root: string, folder: string, args: readonly string[]): ChildProcess {
  const main = join(root, 'apps/cli/src/main.ts');
  return spawn(
    process.execPath,
    ['--conditions=@hermes/source', '--import', 'tsx', main, ...args],
    {
      cwd: root,
      env: { ...process.env, TMPDIR: join(folder, 'tmp') },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
}

async function finish(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return { code: child.exitCode, stderr };
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-prove-'));
  await mkdir(join(folder, 'tmp'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
