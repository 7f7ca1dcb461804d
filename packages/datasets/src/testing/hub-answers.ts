import {
  type FakeDataset,
  findCommit,
  type StoredCommit,
  type StoredFile,
  treeEntry,
} from './fake-dataset.ts';
import type { FakeHubOptions, FakeHubRequest } from './start-fake-hub.ts';

/** A whole answer, before ranges and faults. */
export type HubAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}>;

/** Where the two servers are. */
export type HubOrigins = Readonly<{ hub: string; large: string }>;

const REVISION = /^\/api\/datasets\/(?<id>[^/]+\/[^/]+)\/revision\/(?<revision>[^/]+)$/;
const TREE = /^\/api\/datasets\/(?<id>[^/]+\/[^/]+)\/tree\/(?<revision>[^/]+)$/;
const FILE = /^\/datasets\/(?<id>[^/]+\/[^/]+)\/resolve\/(?<revision>[^/]+)\/(?<path>.+)$/;

/** The right answer to a request. */
export function answerHub(
  options: FakeHubOptions,
  origins: HubOrigins,
  request: FakeHubRequest,
): HubAnswer {
  const url = new URL(request.path, origins.hub);
  const parts = [REVISION, TREE, FILE].map((route) => route.exec(url.pathname)?.groups);
  const groups = parts.find((each) => each !== undefined) ?? {};
  const dataset = options.datasets[groups.id ?? ''];
  if (request.isLargeFile) return answerLargeFile(options, url);
  if (!dataset || isHidden(dataset, request)) return failure(401, 'RepoNotFound');
  const found = findCommit(dataset, decodeURIComponent(groups.revision ?? ''));
  if (!found) return failure(404, 'RevisionNotFound');
  if (parts[0]) return json({ id: groups.id, sha: found.commit, siblings: siblings(found) });
  if (parts[1]) return answerTree(options, url, found, origins);
  if (dataset.gated && !isReader(dataset, request)) return failure(401, 'GatedRepo');
  return answerFile(found, decodeURIComponent(groups.path ?? ''), origins);
}

function answerTree(
  options: FakeHubOptions,
  url: URL,
  found: StoredCommit,
  origins: HubOrigins,
): HubAnswer {
  const pageSize = options.pageSize ?? 1000;
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const entries = found.files.slice(from, from + pageSize).map(treeEntry);
  if (from + pageSize >= found.files.length) return json(entries);
  url.searchParams.set('cursor', String(from + pageSize));
  const next = new URL(url.pathname + url.search, origins.hub);
  return json(entries, { link: `<${next}>; rel="next"` });
}

function answerFile(found: StoredCommit, path: string, origins: HubOrigins): HubAnswer {
  const file = found.files.find((each) => each.path === path);
  if (!file) return failure(404, 'EntryNotFound');
  const headers = { 'x-repo-commit': found.commit };
  if (!file.sha256) {
    return { status: 200, headers: { ...headers, etag: `"${file.oid}"` }, body: file.bytes };
  }
  return {
    status: 302,
    headers: {
      ...headers,
      location: `${origins.large}/${file.sha256}`,
      'x-linked-etag': `"${file.sha256}"`,
      'x-linked-size': String(file.bytes.length),
    },
    body: new Uint8Array(),
  };
}

function answerLargeFile(options: FakeHubOptions, url: URL): HubAnswer {
  const file = allFiles(options).find((each) => each.sha256 === url.pathname.slice(1));
  if (!file) return failure(404, 'EntryNotFound');
  return { status: 200, headers: { etag: `"${file.sha256}"` }, body: file.bytes };
}

function allFiles(options: FakeHubOptions): StoredFile[] {
  return Object.values(options.datasets).flatMap((dataset) =>
    Object.keys(dataset.revisions).flatMap((name) => findCommit(dataset, name)?.files ?? []),
  );
}

function siblings(found: StoredCommit): object[] {
  return found.files.map((file) => ({ rfilename: file.path }));
}

function isHidden(dataset: FakeDataset, request: FakeHubRequest): boolean {
  return dataset.private === true && !isReader(dataset, request);
}

function isReader(dataset: FakeDataset, request: FakeHubRequest): boolean {
  const token = /^Bearer (?<token>.+)$/.exec(request.authorization ?? '')?.groups?.token;
  return token !== undefined && (dataset.readers ?? []).includes(token);
}

function failure(status: number, code: string): HubAnswer {
  return { ...json({ error: code }, { 'x-error-code': code }), status };
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): HubAnswer {
  const body = Buffer.from(JSON.stringify(value));
  return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body };
}
