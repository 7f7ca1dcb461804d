import { spawn } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { fileError } from '../src/_file-error.ts';
import { openLineWriter } from '../src/_jsonl-file.ts';
import type { EvaluateOptions, RunEvent, RunSummary } from '../src/index.ts';
import {
  createEffects,
  evaluate,
  openRunDirectory,
  planOf,
  readRun,
  summarise,
} from '../src/index.ts';
import { optionsOf, plainEnvironment } from './_support/harness.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

type Options = EvaluateOptions<number>;

const options: Options = optionsOf({ open: () => scriptedModel('Done.') });

async function open(path: string, changes: Partial<Options> = {}, resume = true) {
  return openRunDirectory(path, { resume, plan: planOf({ ...options, ...changes }) });
}

async function run(path: string, changes: Partial<Options> = {}): Promise<RunSummary> {
  const directory = await open(path, changes);
  try {
    return await evaluate({ ...options, ...changes, directory });
  } finally {
    await directory.close();
  }
}

async function recordsIn(path: string): Promise<RolloutRecord[]> {
  const text = await readFile(join(path, 'records.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

it('keeps plan, records, events and summary of a run', async () => {
  const path = join(await temporaryFolder(), 'new', 'run');
  const summary = await run(path);
  expect(summary).toMatchObject({ total: 3, passed: 3 });
  expect(JSON.parse(await readFile(join(path, 'summary.json'), 'utf8'))).toEqual(summary);
  const records = await recordsIn(path);
  expect(records.map((record) => record.identity.itemId).sort()).toEqual([
    'item-0',
    'item-1',
    'item-2',
  ]);
  const [record] = records;
  const events = await readFile(join(path, 'events', `${record?.rolloutId}.jsonl`), 'utf8');
  const types = events
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).type);
  expect(types.at(0)).toBe('rollout_start');
  expect(types.at(-1)).toBe('rollout_end');
  expect(types.some((type) => type.endsWith('_delta'))).toBe(false);
});

it('rebuilds the same summary from the records', async () => {
  const path = await temporaryFolder();
  const summary = await run(path, { attempts: 2 });
  const { records, summaryPlan } = await readRun(path);
  expect(summarise(records, summaryPlan)).toEqual(summary);
});

it('refuses an existing run unless it is resumed', async () => {
  const path = await temporaryFolder();
  await run(path);
  await expect(open(path, {}, false)).rejects.toMatchObject({
    code: 'RUN_EXISTS',
    message: expect.stringContaining('--resume'),
  });
});

it('refuses a folder with other things in it', async () => {
  const path = await temporaryFolder();
  await writeFile(join(path, 'thesis.tex'), '');
  await expect(open(path)).rejects.toMatchObject({ code: 'RUN_DIRECTORY' });
});

it('says what is wrong with a path that cannot be a folder', async () => {
  const path = await temporaryFolder();
  await writeFile(join(path, 'file'), '');
  await expect(open(join(path, 'file', 'run'))).rejects.toMatchObject({
    boundary: 'config',
    code: 'RUN_DIRECTORY',
    message: expect.stringContaining(join(path, 'file', 'run')),
  });
});

it.skipIf(process.platform !== 'linux')(
  'ends at once where the system makes no folders, and says so',
  async () => {
    await expect(open('/proc/hermes/run')).rejects.toMatchObject({
      boundary: 'config',
      code: 'RUN_DIRECTORY',
      message:
        'The run directory /proc/hermes/run cannot be used: no folder can be made in /proc. Choose another one with --run-dir',
    });
  },
);

it('names the file that is in the way', async () => {
  const path = await temporaryFolder();
  await writeFile(join(path, 'file'), '');
  await expect(open(join(path, 'file', 'run'))).rejects.toMatchObject({
    message: expect.stringContaining(`${join(path, 'file')} is no folder. Choose another`),
  });
  await symlink(join(path, 'nowhere'), join(path, 'broken'));
  await expect(open(join(path, 'broken'))).rejects.toMatchObject({
    message: expect.stringContaining(`something else is in the way at ${join(path, 'broken')}.`),
  });
});

it.each([
  ['EACCES', 'mkdir', '/a/b/run', 'there is no permission to make a folder in /a/b.'],
  ['EACCES', 'open', '/a/b/run/lock.1', 'there is no permission to use /a/b/run.'],
  ['EROFS', 'mkdir', '/a/b/run', '/a/b is read-only.'],
  ['EROFS', 'open', '/a/b/run/lock.1', '/a/b/run is read-only.'],
  ['EMFILE', 'open', '/a/b/run/lock.1', 'EMFILE: the system says so.'],
])('says what %s of %s means, and what to do', (code, syscall, path, reason) => {
  const error = Object.assign(new Error(`${code}: the system says so`), { code, syscall, path });
  expect(fileError('config', '/a/b/run', error)).toMatchObject({
    code: 'RUN_DIRECTORY',
    message: `The run directory /a/b/run cannot be used: ${reason} Choose another one with --run-dir`,
  });
  expect(fileError('environment', '/a/b/run', error).message).toContain(
    'What was written is kept: mend that and go on with --resume',
  );
});

it.each<[string, Partial<Options>, string]>([
  [
    'model',
    { model: { ...options.model, modelId: 'other' } },
    'model.modelId was "scripted" and is "other"',
  ],
  [
    'dataset',
    { environment: plainEnvironment({ datasetRevision: 'r2' }) },
    'datasetRevision was "r1" and is "r2"',
  ],
  ['sampling', { sampling: { temperature: 0 } }, 'sampling.temperature was 1 and is 0'],
  [
    'new sampling key',
    { sampling: { temperature: 1, topP: 0.5 } },
    'sampling.topP was absent and is 0.5',
  ],
  ['seed', { seed: 7 }, 'seed was 0 and is 7'],
  [
    'configuration',
    { definition: { ...options.definition, configDigest: 'x' } },
    'environment.configDigest was "none" and is "x"',
  ],
  [
    'turns',
    { limits: { agent: { maxTurns: 3 } } },
    'limits.agent was absent and is {"maxTurns":3}',
  ],
  ['fewer attempts', { attempts: 1 }, 'attempts was 2 and is 1'],
])('refuses to resume with another %s, and names it', async (_name, changes, difference) => {
  const path = await temporaryFolder();
  await run(path, { attempts: 2 });
  await expect(open(path, { attempts: 2, ...changes })).rejects.toMatchObject({
    code: 'PLAN_CHANGED',
    message: expect.stringContaining(difference),
  });
});

it('resumes with more attempts and more items, and runs only what is new', async () => {
  const path = await temporaryFolder();
  const first = await run(path, { filter: { first: 2 } });
  expect(first.total).toBe(2);
  const ids = (await recordsIn(path)).map((record) => record.rolloutId);
  const more = await run(path, { attempts: 2 });
  expect(more).toMatchObject({ total: 6, passed: 6, interrupted: false });
  const all = await recordsIn(path);
  expect(all).toHaveLength(6);
  expect(all.slice(0, 2).map((record) => record.rolloutId)).toEqual(ids);
});

it('resumes with another concurrency, sandbox or retry policy', async () => {
  const path = await temporaryFolder();
  await run(path);
  const resumed = await run(path, { scheduler: { rollouts: 9 }, retry: { maxTries: 9 } });
  expect(resumed).toMatchObject({ total: 3, passed: 3 });
});

it('refuses a filter that leaves finished trials out', async () => {
  const path = await temporaryFolder();
  await run(path);
  await expect(run(path, { filter: { include: ['item-1'] } })).rejects.toMatchObject({
    code: 'PLAN_CHANGED',
    message: expect.stringContaining('item-0'),
  });
});

it('moves a line aside that a crash has cut, and runs its trial again', async () => {
  const path = await temporaryFolder();
  await run(path);
  const file = join(path, 'records.jsonl');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.slice(0, -40));
  const directory = await open(path);
  expect(directory.damagedLines).toBe(1);
  expect(directory.finished().size).toBe(2);
  await directory.close();
  expect(await run(path)).toMatchObject({ passed: 3, interrupted: false });
  const [first, second, third] = await recordsIn(path);
  expect(new Set([first, second, third].map((record) => record?.trialKey)).size).toBe(3);
  expect(third?.tries).toMatchObject([{ errored: { cause: 'interrupted' } }]);
  expect(await readFile(join(path, 'damaged.jsonl'), 'utf8')).toContain('"v":1');
});

it('moves rubbish in the middle aside and drops a second record of a trial', async () => {
  const path = await temporaryFolder();
  await run(path);
  const file = join(path, 'records.jsonl');
  const [first = '', ...others] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [first, '{"half', first, ...others].join('\n'));
  const directory = await open(path);
  expect([directory.damagedLines, directory.finished().size]).toEqual([1, 3]);
  await directory.close();
  expect(await recordsIn(path)).toHaveLength(3);
});

it('refuses a second record of the same trial', async () => {
  const path = await temporaryFolder();
  await run(path);
  const directory = await open(path);
  const [record] = await recordsIn(path);
  await expect(record && directory.record(record)).rejects.toMatchObject({
    code: 'RECORDED_TWICE',
  });
  await directory.close();
});

it('runs cancelled trials again by default, and keeps their records as tries', async () => {
  const path = await temporaryFolder();
  const controller = new AbortController();
  const open = () =>
    scriptedModel(() => {
      controller.abort();
      return { hang: true };
    });
  const model = { ...options.model, open };
  const stopped = await run(path, { model, signal: controller.signal, scheduler: { rollouts: 1 } });
  expect(stopped).toMatchObject({
    total: 3,
    errored: 1,
    erroredBy: { 'cancelled/run_cancelled': 1 },
    interrupted: true,
  });
  expect(await run(path)).toMatchObject({ passed: 3, errored: 0, interrupted: false });
  const records = await recordsIn(path);
  expect(records).toHaveLength(3);
  expect(records.flatMap((record) => record.tries)).toMatchObject([
    { errored: { cause: 'run_cancelled' } },
  ]);
  const tries = await readFile(join(path, 'tries.jsonl'), 'utf8');
  expect(tries.trim().split('\n')).toHaveLength(1);
});

it('keeps errored trials on resume unless they are asked for', async () => {
  const path = await temporaryFolder();
  const broken = { computeReward: () => Promise.reject(new Error('bug')) };
  await run(path, { environment: plainEnvironment(broken) });
  expect(await run(path)).toMatchObject({ passed: 0, errored: 3 });
  const retry = (record: RolloutRecord) => record.status === 'errored';
  const directory = await openRunDirectory(path, { resume: true, plan: planOf(options), retry });
  expect(await evaluate({ ...options, directory })).toMatchObject({ passed: 3, errored: 0 });
  await directory.close();
});

it('refuses a directory that a living process holds, and names the process', async () => {
  const path = await temporaryFolder();
  const directory = await open(path);
  await expect(open(path)).rejects.toMatchObject({
    code: 'RUN_IN_USE',
    message: expect.stringContaining(String(process.pid)),
  });
  await directory.close();
  await (await open(path)).close();
});

it('takes over from a process that is dead, also when its number was given to another', async () => {
  const path = await temporaryFolder();
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('close', resolve));
  await (await open(path)).close();
  const directory = await open(path);
  const mine = JSON.parse(await readFile(join(path, 'lock'), 'utf8'));
  await directory.close();
  const stale = [
    { ...mine, token: 'a', pid: child.pid },
    { ...mine, token: 'b', startTime: '1' },
    { ...mine, token: 'c', bootId: 'another boot' },
  ];
  for (const holder of stale) {
    await writeFile(join(path, 'lock'), JSON.stringify(holder));
    await (await open(path)).close();
  }
  await writeFile(join(path, 'lock'), '');
  await (await open(path)).close();
});

it('fails the run with one message when the disk is full, and keeps what was written', async () => {
  const path = await temporaryFolder();
  await run(path, { filter: { first: 1 } });
  const kept = await recordsIn(path);
  await symlink('/dev/full', join(path, 'events', 'full.jsonl'));
  const effects = createEffects({ newId: () => 'full' });
  const seen: string[] = [];
  const sinks = [{ run: (event: RunEvent) => void seen.push(event.type) }];
  const scheduler = { rollouts: 1 };
  await expect(run(path, { effects, sinks, scheduler })).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining('--resume'),
  });
  expect(seen.filter((type) => type === 'trial_start')).toHaveLength(1);
  expect(seen).not.toContain('run_end');
  expect(await recordsIn(path)).toEqual(kept);
  expect(await run(path)).toMatchObject({ passed: 3, interrupted: false });
});

it('rejects a line that does not fit on the disk', async () => {
  const writer = await openLineWriter('/dev/full', { sync: true });
  await expect(writer.append({ a: 1 })).rejects.toMatchObject({ code: 'ENOSPC' });
  await writer.close();
});

it.each(['', 'not json', '{}', '{"v": 2}', '{"v": 1, "runId": "x"}', 'null'])(
  'a run.json that holds %j is refused in a sentence',
  async (text) => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'run.json'), text);
    const message = /run\.json is not what a run of this version writes: restore it/;
    await expect(readRun(path)).rejects.toThrow(message);
    await expect(open(path)).rejects.toThrow(message);
  },
);
