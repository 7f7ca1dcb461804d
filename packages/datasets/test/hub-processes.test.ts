import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect } from './_helpers.ts';
import { fileRequests, ID, openHubTest, partialReaches } from './_hub.ts';

type Child = ChildProcessByStdio<null, Readable, null>;

const ROWS = Array.from({ length: 500 }, (_, n) => ({ n }));
const BIG = {
  revisions: { main: { 'test.jsonl': ROWS.map((row) => JSON.stringify(row)).join('\n') } },
};

function startProcess(options: Readonly<{ endpoint?: string; cacheDir: string }>): Child {
  const script = fileURLToPath(new URL('_open-and-print.ts', import.meta.url));
  const flags = ['--conditions=@hermes/source', '--import', 'tsx', script];
  const child = spawn(process.execPath, [...flags, options.endpoint ?? '', options.cacheDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function output(child: Child): Promise<unknown> {
  const text = Buffer.concat(await collect<Buffer>(child.stdout)).toString();
  return JSON.parse(text);
}

it('lets two processes at once download a file once', async () => {
  const { options, hub } = await openHubTest(BIG);
  const children = [startProcess(options), startProcess(options)];
  expect(await Promise.all(children.map(output))).toEqual([ROWS, ROWS]);
  expect(fileRequests(hub)).toHaveLength(1);
}, 60_000);

it('takes over from a killed process, with what that one had', async () => {
  let isFirst = true;
  const { options, hub } = await openHubTest(BIG, {
    fault: (request) => {
      if (!request.path.includes('/resolve/') || !isFirst) return null;
      isFirst = false;
      return { kind: 'stall', afterBytes: 1000 };
    },
  });
  const child = startProcess(options);
  const blobs = join(options.cacheDir, 'datasets--org--name/blobs');
  await partialReaches(options.cacheDir, 1000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const dataset = await openDataset({ kind: 'hub', id: ID }, options);
  expect(await collect(dataset.rows())).toEqual(ROWS);
  expect(fileRequests(hub)).toEqual(['test.jsonl null', 'test.jsonl bytes=1000-']);
  expect((await readdir(blobs)).filter((name) => name.endsWith('.incomplete'))).toEqual([]);
}, 60_000);
