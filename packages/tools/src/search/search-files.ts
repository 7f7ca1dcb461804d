import type { JsonObject } from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';
import { fileErrorText } from '../_file-errors.ts';
import { expressionOf } from './expression.ts';
import { globMatcher } from './glob.ts';
import { contentPage, countsPage, filesPage } from './present-search.ts';
import { type Answer, listFiles, type SearchFailure, searchIn } from './run-search.ts';
import type { SearchPlace } from './search-place.ts';

const LARGEST_FILE = 64 * 1024 * 1024;

/** A search as a model asks for it. */
export type SearchRequest = Readonly<{
  pattern: string;
  target: 'content' | 'files';
  path: string;
  file_glob?: string | undefined;
  limit: number;
  offset: number;
  output_mode: 'content' | 'files_only' | 'count';
  context: number;
}>;

type Document = JsonObject | SearchFailure;

export function isFailure(document: Document): document is SearchFailure {
  return 'error' in document;
}

/** The document that the model gets, or why there is none. */
export async function search(
  sandbox: Sandbox,
  place: SearchPlace,
  asked: SearchRequest,
  signal: AbortSignal,
): Promise<Document> {
  return asked.target === 'files'
    ? await searchNames(sandbox, place, asked, signal)
    : await searchContent(sandbox, place, asked, signal);
}

async function searchNames(
  sandbox: Sandbox,
  { root, only, name }: SearchPlace,
  asked: SearchRequest,
  signal: AbortSignal,
): Promise<Document> {
  if (only !== null)
    return { code: 'NOT_A_DIRECTORY', error: fileErrorText('NOT_A_DIRECTORY', asked.path) };
  const listing = await listFiles(sandbox, root, asked.pattern, signal);
  if ('error' in listing) return listing;
  const fits = globMatcher(asked.pattern);
  const found = listing.files
    .filter(({ path }) => fits(path))
    .sort((one, other) => other.mtime - one.mtime || compare(one.path, other.path));
  const page = filesPage(
    found.map(({ path }) => path),
    asked,
    name,
  );
  return withNotes(page, listing.isCut ? [TOO_MANY_FILES] : []);
}

async function searchContent(
  sandbox: Sandbox,
  place: SearchPlace,
  asked: SearchRequest,
  signal: AbortSignal,
): Promise<Document> {
  const files = await filesToSearch(sandbox, place, asked, signal);
  if ('error' in files) return files;
  const expression = expressionOf(asked.pattern);
  const { root } = place;
  const { output_mode: mode, context } = asked;
  const answer = await searchIn(
    sandbox,
    { root, files: files.raw, expression, mode, context },
    signal,
  );
  if ('error' in answer) return answer;
  return withNotes(
    pageOf(answer, asked, place),
    answer.isCut ? [...files.notes, TOO_LONG] : files.notes,
  );
}

type FilesToSearch = Readonly<{ raw: readonly string[]; notes: readonly string[] }>;

/** In the order of their paths, so that a page follows on the one before it. */
async function filesToSearch(
  sandbox: Sandbox,
  { root, only }: SearchPlace,
  { file_glob: glob }: SearchRequest,
  signal: AbortSignal,
): Promise<FilesToSearch | SearchFailure> {
  if (only !== null) return { raw: [only], notes: [] };
  const listing = await listFiles(sandbox, root, glob ?? null, signal);
  if ('error' in listing) return listing;
  const fits = globMatcher(glob ?? '*');
  // The kernel's files have no size and may never end.
  const fitting = listing.files.filter(({ path, size }) => size > 0 && fits(path));
  const searched = fitting.filter(({ size }) => size <= LARGEST_FILE);
  const left = fitting.length - searched.length;
  const notes = [
    ...(listing.isCut ? [TOO_MANY_FILES] : []),
    ...(left > 0 ? [`${left} files larger than 64 MiB were not searched.`] : []),
  ];
  const raw = searched.map((file) => file.raw).sort(compare);
  return { raw, notes };
}

function pageOf({ records }: Answer, asked: SearchRequest, { name }: SearchPlace): JsonObject {
  if (asked.output_mode === 'count') return countsPage(records, asked, name);
  if (asked.output_mode === 'content') return contentPage(records, asked.context, asked, name);
  return filesPage(
    records.map(({ path }) => path),
    asked,
    name,
  );
}

const TOO_MANY_FILES = 'There are too many files to look at all: search in a smaller folder.';
const TOO_LONG = 'Not all matches were fetched: search more narrowly.';

function withNotes(page: JsonObject, notes: readonly string[]): JsonObject {
  if (notes.length === 0) return page;
  return { ...page, truncated: true, _hint: [page._hint, ...notes].filter(Boolean).join(' ') };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
