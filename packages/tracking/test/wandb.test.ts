import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testEffects } from '@hermes/protocol/testing';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { openTracker, type WandbSettings } from '../src/index.ts';
import { temporaryFolder } from './_folder.ts';
import { processesIn } from './_processes.ts';
import { askPython } from './_python.ts';

/** A time of the calendar: the client takes no others. */
const WALL_MS = Date.UTC(2026, 0, 1);

const offline = (folder: string, more: Partial<WandbSettings> = {}): WandbSettings => ({
  ...{ mode: 'offline', project: 'sums', name: 'sums-2026-01-01-abcdef', folder },
  ...{ python: pythonCommand, variables: process.env },
  ...more,
});

describe.runIf(isExpected('wandb'))('the client of Weights & Biases, offline', () => {
  it('gets every number at its step and time, the tables, the summary and the configuration', async () => {
    const folder = await temporaryFolder();
    const effects = testEffects();
    const secrets = ['sk-secret-key'];
    const config = { env: { group_size: 4 }, openai: [{ note: 'key sk-secret-key' }] };
    const more = { id: 'run1', group: 'g', jobType: 'serve', config, secrets };
    const near = relative(process.cwd(), folder);
    const tracker = openTracker({ wandb: offline(near, more) }, effects);
    tracker.write(1, WALL_MS + 250, { 'train/avg_reward': 1 / 3 });
    tracker.write(3, WALL_MS + 5000, { 'train/avg_reward': -1, 'eval/pass_rate': 0.5 });
    tracker.table?.('train/rollouts', 3, ['text', 'score'], [['uses sk-secret-key', 1]]);
    tracker.summary({ cost_usd: 0.25 });
    await tracker.close();
    expect(effects.logger.entries).toEqual([]);
    expect(await askPython('read-wandb.py', [folder])).toMatchObject({
      run: { project: 'sums', name: 'sums-2026-01-01-abcdef', id: 'run1', group: 'g' },
      config: { env: { group_size: 4 }, openai: [{ note: 'key ***' }] },
      history: [
        { _step: 1, _timestamp: WALL_MS / 1000 + 0.25, 'train/avg_reward': 1 / 3 },
        { _step: 3, 'train/avg_reward': -1, 'eval/pass_rate': 0.5, 'train/rollouts/nrows': 1 },
      ],
      summary: { 'train/avg_reward': -1, cost_usd: 0.25 },
      exit: 0,
    });
    expect(await tables(folder)).toEqual([{ columns: ['text', 'score'], data: [['uses ***', 1]] }]);
    expect(processesIn(folder)).toEqual([]);
  }, 60_000);

  it('keeps what it has, and leaves no process, when the run is killed', async () => {
    const folder = await temporaryFolder();
    const script = fileURLToPath(new URL('_killed-run.ts', import.meta.url));
    const flags = ['--conditions=@hermes/source', '--import', import.meta.resolve('tsx')];
    const child = spawn(process.execPath, [...flags, script, folder, pythonCommand]);
    await once(child.stdout, 'data');
    expect(processesIn(folder)).not.toEqual([]);
    child.kill('SIGKILL');
    await expect.poll(() => processesIn(folder), { timeout: 30_000 }).toEqual([]);
    expect(await askPython('read-wandb.py', [folder])).toMatchObject({
      history: [{ value: 0.5 }, { value: 0.75 }, { value: 1 }],
      exit: 1,
    });
  }, 90_000);
});

async function tables(folder: string): Promise<readonly unknown[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => /offline-run-.*\.table\.json$/.test(name));
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  return texts.map((text) => JSON.parse(text));
}
