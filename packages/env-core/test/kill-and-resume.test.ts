import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readRun, summarise } from '../src/index.ts';
import { temporaryFolder } from './_support/temporary-folder.ts';

const script = fileURLToPath(new URL('./_support/killed-run.ts', import.meta.url));

/** Runs the script; kills it with the n-th record. Resolves with how it ended. */
async function run(folder: string, mode: string, killAt: number): Promise<number | string | null> {
  const args = [
    '--conditions=@hermes/source',
    '--import',
    import.meta.resolve('tsx'),
    script,
    folder,
    mode,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  let seen = 0;
  for await (const _line of createInterface(child.stdout)) {
    seen += 1;
    if (seen === killAt) child.kill('SIGKILL');
  }
  return ended;
}

async function lines(folder: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

it('has every trial exactly once after kill -9 and resume, and the statistics of a quiet run', async () => {
  const folder = await temporaryFolder();
  const random = [1 + Math.floor(Math.random() * 12), 1 + Math.floor(Math.random() * 12)];
  expect(await run(folder, 'new', random[0] ?? 1), `kills at ${random}`).toBe('SIGKILL');
  expect(await run(folder, 'resume', random[1] ?? 1), `kills at ${random}`).toBe('SIGKILL');
  expect(await run(folder, 'resume', Number.POSITIVE_INFINITY)).toBe(0);

  const records = await lines(folder, 'records.jsonl');
  expect(new Set(records.map((record) => record.trialKey)).size).toBe(40);
  expect(records).toHaveLength(40);
  const stored = await readRun(folder);
  expect(summarise(stored.records, stored.summaryPlan)).toMatchObject({
    total: 40,
    passed: 26,
    failed: 14,
    errored: 0,
    scoreValid: 26 / 40,
    interrupted: false,
    usage: { inputTokens: 400, outputTokens: 200 },
  });
  const started = await lines(folder, 'started.jsonl');
  const tries = stored.records.flatMap((record) => record.tries);
  expect(started).toHaveLength(40 + tries.length);
  expect(tries.every((one) => one.errored?.cause === 'interrupted')).toBe(true);
  expect(tries.length).toBeGreaterThan(0);
  const names = await readdir(folder);
  expect(names.filter((name) => /lock|\.new$/.test(name))).toEqual([]);
}, 60_000);
