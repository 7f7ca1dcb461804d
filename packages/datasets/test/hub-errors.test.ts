import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type DatasetOptions, type HubSource, openDataset } from '../src/index.ts';
import type { FakeDataset, FakeHubRequest } from '../src/testing/index.ts';
import { temporaryFolder, writeTemporary } from './_helpers.ts';
import { ID, openHubTest, QUIZ } from './_hub.ts';

type Case = Readonly<{
  what: string;
  dataset?: Partial<FakeDataset>;
  source?: Partial<HubSource>;
  options?: Partial<DatasetOptions>;
  code: string;
  message: RegExp;
}>;

const CASES: readonly Case[] = [
  {
    what: 'a gated dataset without a token',
    dataset: { gated: true },
    code: 'AUTH',
    message:
      /^the dataset org\/name is gated: accept its terms at http.*\/datasets\/org\/name and give an access token \(HF_TOKEN\)$/,
  },
  {
    what: 'a gated dataset with a token that does not open it',
    dataset: { gated: true },
    options: { token: 'other' },
    code: 'AUTH',
    message: /^the access token does not open the gated dataset org\/name: accept its terms at/,
  },
  {
    what: 'a private dataset without a token',
    dataset: { private: true },
    code: 'NOT_FOUND',
    message: /^there is no dataset org\/name at http.*: check the name, or give an access token/,
  },
  {
    what: 'an unknown dataset',
    source: { id: 'org/other' },
    options: { token: 'some' },
    code: 'NOT_FOUND',
    message:
      /^there is no dataset org\/other at http.*: check the name, and whether the access token/,
  },
  {
    what: 'an unknown revision',
    source: { revision: 'v9' },
    code: 'NOT_FOUND',
    message: /^the dataset org\/name has no revision "v9"; name a branch, a tag or a commit of it$/,
  },
  {
    what: 'an unknown file',
    source: { path: 'test.jsonl' },
    code: 'NOT_FOUND',
    message:
      /^there is no file test\.jsonl in hf:\/\/org\/name@main; did you mean main\/test\.jsonl\?$/,
  },
  {
    what: 'a missing column',
    source: { columns: ['answer'] },
    code: 'COLUMN_MISSING',
    message:
      /^hf:\/\/org\/name@[0-9a-f]{40}\/main\/test\.jsonl has no column "answer"; its columns are "n":/,
  },
  {
    what: 'a name that is none',
    source: { id: '../name' },
    code: 'SOURCE',
    message: /write OWNER\/NAME/,
  },
  {
    what: 'a revision that is none',
    source: { revision: '../../x' },
    code: 'SOURCE',
    message: /no revision/,
  },
  {
    what: 'a path that is none',
    source: { path: '/x.jsonl' },
    code: 'SOURCE',
    message: /no path inside/,
  },
  {
    what: 'a file of no kind',
    source: { path: 'README.md' },
    code: 'FORMAT',
    message: /ends in \.parquet/,
  },
  {
    what: 'an endpoint that is none',
    options: { endpoint: 'hub' },
    code: 'SOURCE',
    message: /write one as https/,
  },
];

it.each(CASES)('says in one sentence what to do about $what', async (each) => {
  const { options } = await openHubTest({ ...QUIZ, ...each.dataset });
  const source = { kind: 'hub', id: ID, config: 'main', split: 'test', ...each.source } as const;
  await expect(openDataset(source, { ...options, ...each.options })).rejects.toMatchObject({
    boundary: 'data',
    code: each.code,
    message: expect.stringMatching(each.message),
  });
});

it('says that the hub cannot be reached', async () => {
  const { options, hub } = await openHubTest();
  await hub.close();
  await expect(openDataset({ kind: 'hub', id: ID }, options)).rejects.toMatchObject({
    code: 'CONNECTION',
    retryable: true,
    message: `${hub.endpoint} could not be read for hf://org/name@main (ECONNREFUSED); check the network and the endpoint`,
  });
});

it.each(['../../evil.jsonl', '/evil.jsonl', 'a\\..\\evil.jsonl', 'C:evil.jsonl', 'a/./b', 'a\nb'])(
  'refuses a dataset with a file named %j, and writes none of it',
  async (path) => {
    const { options } = await openHubTest({
      revisions: { main: { [path]: '{}', 'test.jsonl': '' } },
    });
    await expect(openDataset({ kind: 'hub', id: ID }, options)).rejects.toMatchObject({
      code: 'HUB',
      message: expect.stringMatching(
        /which could leave the cache's folder; nothing of it is read$/,
      ),
    });
    expect(await readdir(`${options.cacheDir}/datasets--org--name`)).toEqual(['refs']);
  },
);

it.each([
  [
    'a commit',
    { sha: '../../../etc' },
    /tells for org\/name of the commit "\.\.\/\.\.\/\.\.\/etc"/,
  ],
  [
    'a digest',
    [{ type: 'file', path: 'test.jsonl', size: 1, oid: '../x' }],
    /of the digest "\.\.\/x"/,
  ],
])('refuses %s that is a path', async (_what, answer, message) => {
  const { options } = await openHubTest();
  const revision = 'a'.repeat(40);
  const fetch = async () => new Response(JSON.stringify(answer));
  const source = { kind: 'hub', id: ID, ...(Array.isArray(answer) && { revision }) } as const;
  await expect(openDataset(source, { ...options, fetch })).rejects.toThrow(message);
});

it('says that the cache cannot be written', async () => {
  const { options } = await openHubTest();
  const cacheDir = await writeTemporary('file', '');
  const opening = openDataset(
    { kind: 'hub', id: ID, path: 'main/test.jsonl' },
    { ...options, cacheDir },
  );
  await expect(opening).rejects.toMatchObject({
    code: 'CACHE',
    message: expect.stringMatching(
      /file cannot be used \(ENOTDIR.*\); mend that, or choose another/,
    ),
  });
});

it('ends when it is cancelled, before and while it downloads', async () => {
  const stop = new AbortController();
  const { options } = await openHubTest(QUIZ, {
    fault: (request) => {
      if (!request.isLargeFile) return null;
      queueMicrotask(() => stop.abort(new Error('enough')));
      return { kind: 'stall', afterBytes: 3 };
    },
  });
  const source = { kind: 'hub', id: ID, config: 'main', split: 'train' } as const;
  const opening = openDataset(source, { ...options, signal: stop.signal });
  await expect(opening).rejects.toMatchObject({ code: 'CANCELLED' });
  const again = openDataset(source, {
    ...options,
    signal: stop.signal,
    cacheDir: await temporaryFolder(),
  });
  await expect(again).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await readdir(`${options.cacheDir}/.locks/datasets--org--name`)).toEqual([]);
});

it.each([
  ['a page', '<html>sign in</html>'],
  ['JSON that is no listing', 'null'],
])('an endpoint that answers with %s is named, not the cache', async (_what, body) => {
  const server = createServer((_request, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cacheDir = await temporaryFolder();
  const opened = openDataset({ kind: 'hub', id: ID }, { endpoint, cacheDir });
  await expect(opened).rejects.toMatchObject({
    code: 'HUB',
    message: expect.stringMatching(/no listing of a hub .*; is the endpoint right\?$/),
  });
  expect(await readdir(cacheDir)).toEqual([]);
});

it('a file that is refused without the code of the hub is that of a gated dataset', async () => {
  const fault = ({ path }: FakeHubRequest) =>
    path.includes('/resolve/') ? ({ kind: 'status', status: 401 } as const) : null;
  const { options } = await openHubTest(QUIZ, { fault });
  const source = { kind: 'hub', id: ID, config: 'main', split: 'test' } as const;
  await expect(openDataset(source, options)).rejects.toMatchObject({
    code: 'AUTH',
    message: expect.stringMatching(/is gated: accept its terms/),
  });
});
