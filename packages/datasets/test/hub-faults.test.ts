import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import type { FakeHubFault, FakeHubRequest } from '../src/testing/index.ts';
import { collect } from './_helpers.ts';
import { fileRequests, ID, openHubTest, partialReaches } from './_hub.ts';

const PATIENCE = { timeout: 4_000 };

const ROWS = Array.from({ length: 500 }, (_, n) => ({ n }));
const BIG = {
  revisions: { main: { 'test.jsonl': ROWS.map((row) => JSON.stringify(row)).join('\n') } },
};
const SOURCE = { kind: 'hub', id: ID } as const;

/** These faults happen to the first requests of a kind; then all is well. */
function first(kind: string, ...faults: readonly FakeHubFault[]) {
  let at = 0;
  return (request: FakeHubRequest): FakeHubFault | null =>
    request.path.includes(kind) ? (faults[at++] ?? null) : null;
}

it.each<[string, FakeHubFault[]]>([
  ['/revision/', [{ kind: 'status', status: 500 }, { kind: 'reset' }]],
  [
    '/tree/',
    [
      { kind: 'status', status: 429, retryAfterSeconds: 7 },
      { kind: 'cut', afterBytes: 9 },
    ],
  ],
  ['/resolve/', [{ kind: 'status', status: 503 }, { kind: 'reset' }]],
  ['/resolve/', [{ kind: 'garble' }]],
])('tries %s again after %j', async (kind, faults) => {
  const { options } = await openHubTest(BIG, { fault: first(kind, ...faults) });
  expect(await collect((await openDataset(SOURCE, options)).rows())).toEqual(ROWS);
});

it('waits as long as the hub asks', async () => {
  const fault = first('/tree/', { kind: 'status', status: 429, retryAfterSeconds: 7 });
  const { options, told } = await openHubTest(BIG, { fault });
  await openDataset(SOURCE, options);
  expect(told[0]).toMatch(
    /trying again in 7000 ms \(http.* answered 429 for hf:\/\/org\/name@main/,
  );
});

it('goes on where a cut download ended', async () => {
  let cacheDir = '';
  const cutAt = (bytes: number): FakeHubFault => ({
    kind: 'cut',
    afterBytes: 1000,
    until: () => partialReaches(cacheDir, bytes),
  });
  const { options, hub } = await openHubTest(BIG, {
    fault: first('/resolve/', cutAt(1000), cutAt(2000)),
  });
  cacheDir = options.cacheDir;
  expect(await collect((await openDataset(SOURCE, options)).rows())).toEqual(ROWS);
  expect(fileRequests(hub)).toEqual([
    'test.jsonl null',
    'test.jsonl bytes=1000-',
    'test.jsonl bytes=2000-',
  ]);
});

it('begins again where the hub knows no ranges', async () => {
  const fault = first('/resolve/', { kind: 'cut', afterBytes: 1000 }, { kind: 'no-ranges' });
  const { options } = await openHubTest(BIG, { fault });
  expect(await collect((await openDataset(SOURCE, options)).rows())).toEqual(ROWS);
});

it('gives up on an answer that never begins, and tries again', async () => {
  const test = await openHubTest(BIG, {
    fault: (request) => {
      if (!request.path.includes('/resolve/') || fileRequests(test.hub).length > 1) return null;
      void test.clock.advance(30_000);
      return { kind: 'hang' };
    },
  });
  expect(await collect((await openDataset(SOURCE, test.options)).rows())).toEqual(ROWS);
  expect(fileRequests(test.hub)).toHaveLength(2);
});

it('gives up on a body that stalls, and goes on where it did', async () => {
  const fault = first('/resolve/', { kind: 'stall', afterBytes: 1000 });
  const { options, hub, clock } = await openHubTest(BIG, { fault });
  const opening = openDataset(SOURCE, options);
  await partialReaches(options.cacheDir, 1000);
  // the holder of the lock, and the deadline of the next piece
  await expect.poll(() => clock.sleeping(), PATIENCE).toBe(2);
  await clock.advance(60_000);
  expect(await collect((await opening).rows())).toEqual(ROWS);
  expect(fileRequests(hub)).toEqual(['test.jsonl null', 'test.jsonl bytes=1000-']);
});

it('gives up after five attempts that bring nothing, and leaves nothing that looks whole', async () => {
  const fault = (request: FakeHubRequest): FakeHubFault | null =>
    request.path.includes('/resolve/') ? { kind: 'garble' } : null;
  const { options, hub } = await openHubTest(BIG, { fault });
  await expect(openDataset(SOURCE, options)).rejects.toMatchObject({
    code: 'HUB',
    message: expect.stringMatching(
      /sent another file for .*test\.jsonl than it lists; try again later$/,
    ),
  });
  expect(fileRequests(hub)).toHaveLength(5);
  expect(await readdir(join(options.cacheDir, 'datasets--org--name/blobs'))).toEqual([]);
});

it('does not try again what no second attempt mends', async () => {
  const fault = first('/resolve/', { kind: 'status', status: 400 });
  const { options, hub } = await openHubTest(BIG, { fault });
  await expect(openDataset(SOURCE, options)).rejects.toThrow(/answered 400 for/);
  expect(fileRequests(hub)).toHaveLength(1);
});
