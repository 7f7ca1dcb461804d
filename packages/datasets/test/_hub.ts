import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeClock, fakeClock } from '@hermes/protocol/testing';
import { onTestFinished, vi } from 'vitest';
import type { DatasetOptions } from '../src/index.ts';
import {
  type FakeDataset,
  type FakeHub,
  type FakeHubOptions,
  startFakeHub,
} from '../src/testing/index.ts';
import { temporaryFolder } from './_helpers.ts';

// real sockets, files and processes, on a machine that may be busy
vi.setConfig({ testTimeout: 60_000 });

export const ID = 'org/name';

/** Two configs with two splits, as many datasets lie on the hub; one split is large and in two parts. */
export const QUIZ: FakeDataset = {
  revisions: {
    main: {
      'README.md': '# Quiz',
      'dataset_infos.json': '{}',
      'main/train-00000-of-00002.jsonl': { content: '{"n":1}\n{"n":2}\n', large: true },
      'main/train-00001-of-00002.jsonl': { content: '{"n":3}\n', large: true },
      'main/test.jsonl': '{"n":4}\n',
      'hard/test.csv': 'n\n5\n',
    },
    old: { 'main/test.jsonl': '{"n":0}\n' },
  },
};

/** What a test of the hub works with. */
export type HubTest = Readonly<{
  hub: FakeHub;
  clock: FakeClock;
  /** What the logger was told. */
  told: readonly string[];
  options: DatasetOptions & Readonly<{ cacheDir: string }>;
}>;

/** A fake hub, an empty cache, and a clock that waits between attempts in no time. */
export async function openHubTest(
  dataset: FakeDataset = QUIZ,
  hubOptions: Partial<FakeHubOptions> = {},
): Promise<HubTest> {
  const hub = await startFakeHub({ datasets: { [ID]: dataset }, ...hubOptions });
  onTestFinished(hub.close);
  const clock = fakeClock();
  const told: string[] = [];
  const log = (_level: string, message: string): void => {
    told.push(message);
    const wait = /trying again in (?<ms>\d+) ms/.exec(message)?.groups?.ms;
    if (wait !== undefined) void clock.advance(Number(wait));
  };
  const cacheDir = await temporaryFolder();
  const options = { endpoint: hub.endpoint, cacheDir, clock, logger: { log } };
  return { hub, clock, told, options };
}

/** The requests for files, as `path range`. */
export function fileRequests(hub: FakeHub): string[] {
  return hub.requests
    .filter((request) => request.path.includes('/resolve/'))
    .map((request) => `${request.path.split('/').slice(6).join('/')} ${request.range}`);
}

/** Resolves once a download under way has written so many bytes. */
export async function partialReaches(cacheDir: string, bytes: number): Promise<void> {
  await vi.waitFor(
    async () => {
      if ((await sizeOfPartial(cacheDir)) !== bytes) throw new Error(`no ${bytes} bytes yet`);
    },
    { timeout: 50_000, interval: 5 },
  );
}

async function sizeOfPartial(cacheDir: string): Promise<number> {
  const blobs = join(cacheDir, 'datasets--org--name/blobs');
  const names = await readdir(blobs).catch(() => []);
  const partial = names.find((name) => name.endsWith('.incomplete'));
  return partial === undefined ? 0 : (await stat(join(blobs, partial))).size;
}
