import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fakeClock } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { type FileLockOptions, withFileLock } from '../src/hub/file-lock.ts';
import { temporaryFolder } from './_helpers.ts';

const PATIENCE = { timeout: 4_000 };

async function heldLock(holder: Readonly<{ pid: number; host: string }>): Promise<string> {
  const path = join(await temporaryFolder(), 'locks', 'a.lock');
  await mkdir(dirname(path));
  await writeFile(path, JSON.stringify(holder));
  const start = new Date(fakeClock().now().wallMs);
  await utimes(path, start, start);
  return path;
}

const never = new AbortController().signal;

function optionsFor(path: string, changes: Partial<FileLockOptions> = {}): FileLockOptions {
  const onWait = (): void => expect.unreachable('there is nothing to wait for');
  return { path, clock: fakeClock(), signal: never, onWait, ...changes };
}

it('takes over at once from a process of this machine that is gone', async () => {
  // the largest number that no Linux process can have
  const path = await heldLock({ pid: 2 ** 22 + 1, host: hostname() });
  expect(await withFileLock(optionsFor(path), async (former) => former)).toBe('dead');
  expect(await readdir(dirname(path))).toEqual([]);
});

it('waits for a holder elsewhere until it has been silent for half a minute', async () => {
  const path = await heldLock({ pid: 1, host: 'elsewhere' });
  const clock = fakeClock();
  let tellWait = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    tellWait = resolve;
  });
  const options = optionsFor(path, { clock, onWait: tellWait });
  const result = withFileLock(options, async (former) => former);
  await waiting;
  await expect.poll(() => clock.sleeping(), PATIENCE).toBe(1);
  await clock.advance(31_000);
  expect(await result).toBe('silent');
});

it('stops waiting when it is cancelled, and leaves the lock to its holder', async () => {
  const path = await heldLock({ pid: process.pid, host: hostname() });
  const stop = new AbortController();
  const options = optionsFor(path, { signal: stop.signal, onWait: () => stop.abort() });
  await expect(withFileLock(options, async () => 1)).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await readdir(dirname(path))).toEqual(['a.lock']);
});

it('is free again when the work fails', async () => {
  const path = join(await temporaryFolder(), 'a.lock');
  const fail = async () => {
    throw new Error('no luck');
  };
  await expect(withFileLock(optionsFor(path), fail)).rejects.toThrow('no luck');
  expect(await withFileLock(optionsFor(path), async (former) => former)).toBe('ended');
  expect(await readdir(dirname(path))).toEqual([]);
});

it('does not remove a lock that another process took in the meantime', async () => {
  const path = join(await temporaryFolder(), 'a.lock');
  await withFileLock(optionsFor(path), () => writeFile(path, 'another holder'));
  expect(await readFile(path, 'utf8')).toBe('another holder');
});
