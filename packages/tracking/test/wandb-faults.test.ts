import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { openTracker, type WandbSettings } from '../src/index.ts';
import { fakePython } from './_fake-python.ts';
import { temporaryFolder } from './_folder.ts';

const READY = `read -r start; echo '{"ready": true}'`;
const TAKES_ALL = `while read -r line; do echo '{"taken": 1}'; done`;

type Fault = Readonly<{ python: string; startMs?: number; answerMs?: number; closeMs?: number }>;

/** Says three things to a bridge with a fault, and closes. Returns the notices. */
async function notices(folder: string, { closeMs, ...fault }: Fault): Promise<readonly string[]> {
  const effects = testEffects();
  const wandb = async (): Promise<WandbSettings> => ({
    ...{ mode: 'offline', project: 'p', name: 'n', folder, variables: process.env },
    ...fault,
  });
  const { clock: _manual, ...others } = effects; // processes take their own time
  const tracker = openTracker({ wandb, ...(closeMs === undefined ? {} : { closeMs }) }, others);
  for (const step of [1, 2, 3]) tracker.write(step, 0, { value: step });
  await tracker.close();
  return effects.logger.entries.map(({ message }) => message);
}

const notice = (text: string) => `tracking: Weights & Biases: ${text}`;

it('goes on where there is no Python', async () => {
  const folder = await temporaryFolder();
  expect(await notices(folder, { python: join(folder, 'none') })).toEqual([
    expect.stringContaining('its Python could not be started'),
  ]);
});

it('goes on where the Python has no package wandb, and says what to do', async () => {
  const folder = await temporaryFolder();
  const isolated = await fakePython(folder, 'exec /usr/bin/env python3 -I -S "$@"');
  expect(await notices(folder, { python: isolated })).toEqual([
    notice(
      `${isolated} has no package wandb (No module named 'wandb'); install it with pip, or name a Python that has it; the run goes on without it`,
    ),
  ]);
});

it('goes on where the client does not start', async () => {
  const folder = await temporaryFolder();
  const python = await fakePython(folder, 'read -r start; echo "no settings file" >&2; exit 3');
  expect(await notices(folder, { python })).toEqual([
    notice('its Python process ended: no settings file; the run goes on without it'),
  ]);
});

it('goes on where the client dies in the middle of the run', async () => {
  const folder = await temporaryFolder();
  const python = await fakePython(folder, `${READY}; read -r batch; kill -9 $$`);
  expect(await notices(folder, { python })).toEqual([
    notice('its Python process ended: it said nothing; the run goes on without it'),
  ]);
});

it.each([
  ['at its start', 'sleep 1000', { startMs: 100 }],
  ['in the middle', `${READY}; sleep 1000`, { answerMs: 100 }],
])('ends a client that hangs %s', async (_when, body, limits) => {
  const folder = await temporaryFolder();
  const python = await fakePython(folder, `echo $$ > pid; ${body}`);
  expect(await notices(folder, { python, ...limits })).toEqual([
    notice('its Python process did not answer within 0.1 s; the run goes on without it'),
  ]);
  await expectGone(folder);
});

it('ends a client that hangs when the run is over', async () => {
  const folder = await temporaryFolder();
  const hangs = `while read -r line; do case "$line" in *finish*) sleep 1000;; esac; echo '{"taken": 1}'; done`;
  const python = await fakePython(folder, `echo $$ > pid; ${READY}; ${hangs}`);
  expect(await notices(folder, { python, closeMs: 500 })).toEqual([
    notice('it did not end in time; what it had not taken by then is lost'),
  ]);
  await expectGone(folder);
});

it('is not troubled by what else the process prints', async () => {
  const folder = await temporaryFolder();
  const python = await fakePython(folder, `echo hello; ${READY}; ${TAKES_ALL}`);
  expect(await notices(folder, { python })).toEqual([]);
});

async function expectGone(folder: string): Promise<void> {
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
  const isThere = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere).toBe(false);
}
