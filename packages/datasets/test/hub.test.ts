import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDataset } from '../src/index.ts';
import { collect } from './_helpers.ts';
import { fileRequests, ID, openHubTest, QUIZ } from './_hub.ts';

const TRAIN = { kind: 'hub', id: ID, config: 'main', split: 'train' } as const;

it('reads a split of the hub, all of its files in order', async () => {
  const { options, told } = await openHubTest();
  const dataset = await openDataset(TRAIN, options);
  expect(await collect(dataset.rows())).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(await collect(dataset.rows(2))).toEqual([{ n: 3 }]);
  expect(dataset.revision).toMatch(/^[0-9a-f]{40}$/);
  expect(told).toContain(
    `downloading hf://${ID}@${dataset.revision}/main/train-00001-of-00002.jsonl: 8 of 8 bytes`,
  );
});

it('lays the cache out as blobs, refs, snapshots and trees, with relative links', async () => {
  const { options } = await openHubTest();
  const { revision } = await openDataset({ ...TRAIN, split: 'test' }, options);
  const root = join(options.cacheDir, 'datasets--org--name');
  expect(await readFile(join(root, 'refs/main'), 'utf8')).toBe(revision);
  const link = join(root, 'snapshots', revision, 'main/test.jsonl');
  const blob = (await readdir(join(root, 'blobs')))[0] ?? '';
  expect(await readlink(link)).toBe(`../../../blobs/${blob}`);
  expect((await lstat(join(root, 'blobs', blob))).mode & 0o777).toBe(0o444);
  expect(blob).toMatch(/^[0-9a-f]{40}$/);
  const tree = JSON.parse(await readFile(join(root, 'trees', `${revision}.json`), 'utf8'));
  expect(tree).toMatchObject({ format_version: 1, files: { 'README.md': { size: 6 } } });
  expect(await readdir(join(options.cacheDir, '.locks/datasets--org--name'))).toEqual([]);
});

it('downloads nothing twice, and asks nothing at all for a commit that it has', async () => {
  const { options, hub } = await openHubTest();
  const { revision } = await openDataset(TRAIN, options);
  const first = hub.requests.length;
  await openDataset(TRAIN, options);
  expect(hub.requests.slice(first).map((request) => request.path.split('?')[0])).toEqual([
    '/api/datasets/org/name/revision/main',
  ]);
  await openDataset({ ...TRAIN, revision }, options);
  expect(hub.requests).toHaveLength(first + 1);
});

it('works offline from what is in the cache', async () => {
  const { options, hub } = await openHubTest();
  await openDataset(TRAIN, options);
  await hub.close();
  const dataset = await openDataset(TRAIN, { ...options, offline: true });
  expect(await collect(dataset.rows())).toHaveLength(3);
});

it('names what is missing offline, and what to do', async () => {
  const { options, hub } = await openHubTest();
  const offline = { ...options, offline: true };
  await expect(openDataset(TRAIN, offline)).rejects.toMatchObject({
    code: 'OFFLINE',
    message: expect.stringMatching(
      /^hf:\/\/org\/name@main is not in the cache \(there is no .*refs\/main\); run once without offline mode$/,
    ),
  });
  await openDataset(TRAIN, options);
  const asked = hub.requests.length;
  await expect(openDataset({ ...TRAIN, split: 'test' }, offline)).rejects.toMatchObject({
    code: 'OFFLINE',
    message: expect.stringMatching(/main\/test\.jsonl is not in the cache/),
  });
  expect(hub.requests).toHaveLength(asked);
});

it('reads a pinned revision, and one file by its path', async () => {
  const { options } = await openHubTest();
  const source = { kind: 'hub', id: ID, revision: 'old', path: 'main/test.jsonl' } as const;
  expect(await collect((await openDataset(source, options)).rows())).toEqual([{ n: 0 }]);
});

it('reads a listing of several pages', async () => {
  const { options, hub } = await openHubTest(QUIZ, { pageSize: 2 });
  await openDataset(TRAIN, options);
  expect(hub.requests.filter((request) => request.path.includes('/tree/'))).toHaveLength(3);
});

it('sends the token to the hub and not to where the hub points', async () => {
  const { options, hub } = await openHubTest({ ...QUIZ, gated: true, readers: ['secret'] });
  await openDataset(TRAIN, { ...options, token: 'secret' });
  const seen = (isLargeFile: boolean) =>
    new Set(
      hub.requests
        .filter((each) => each.isLargeFile === isLargeFile)
        .map((each) => each.authorization),
    );
  expect(seen(false)).toEqual(new Set(['Bearer secret']));
  expect(seen(true)).toEqual(new Set([null]));
});

it('lets two at once download a file once', async () => {
  const { options, hub } = await openHubTest();
  const { clock: _manual, ...withSystemClock } = options;
  const open = () => openDataset({ ...TRAIN, split: 'test' }, withSystemClock);
  for (const dataset of await Promise.all([open(), open()])) {
    expect(await collect(dataset.rows())).toEqual([{ n: 4 }]);
  }
  expect(fileRequests(hub)).toHaveLength(1);
});
