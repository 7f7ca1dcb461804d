import { posix } from 'node:path';
import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import { fileErrorText } from './_file-errors.ts';
import { statFollowingLinks } from './_follow-links.ts';
import { absolutePath } from './_paths.ts';
import type { FileParts } from './_read-file-tool.ts';
import { completed, defineTool, failed } from './_tool.ts';
import { expressionOf } from './search/expression.ts';
import { globMatcher } from './search/glob.ts';
import { contentPage, countsPage, filesPage } from './search/present-search.ts';
import { type Answer, listFiles, type SearchFailure, searchIn } from './search/run-search.ts';
import { searchFilesSchema } from './search/search-schema.ts';

const MOST_RESULTS = 1000;
const MOST_CONTEXT = 50;
const LARGEST_FILE = 64 * 1024 * 1024;
const WARNED_AT = 3;
const BLOCKED_AT = 4;
const ALIASES: Readonly<Record<string, string>> = { grep: 'content', find: 'files' };

const ARGUMENTS = z.object({
  pattern: z
    .string()
    .min(1)
    .max(10_000)
    .refine((text) => !text.includes('\0'), 'has a NUL in it'),
  target: z.preprocess(
    (name) => ALIASES[String(name)] ?? name,
    z.enum(['content', 'files']).default('content'),
  ),
  path: z.string().min(1).default('.'),
  file_glob: z.string().min(1).max(1000).optional(),
  limit: z.number().int().default(50),
  offset: z.number().int().default(0),
  output_mode: z.enum(['content', 'files_only', 'count']).default('content'),
  context: z.number().int().default(0),
});
type Arguments = z.infer<typeof ARGUMENTS>;

/** The tool `search_files`: the same answer whichever program the sandbox has to search with. */
export function createSearchFilesTool(parts: FileParts): Tool {
  return defineTool({
    schema: searchFilesSchema,
    parallel: true,
    maxResultChars: 100_000,
    run: (args, context) => run(parts, args, context),
    errorDocument: (error) => ({ error }),
  });
}

async function run(
  { resources, history }: FileParts,
  args: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return failed('INVALID_ARGUMENTS', { error: parsed.message });
  const asked = withinBounds(parsed.value);
  const sandbox = await resources.sandbox(context.signal);
  const path = await absolutePath(asked.path, resources, sandbox);
  const moment = { turn: context.turn, commandsRun: resources.shell.commandsRun };
  const repeat = history.countRepeat(`search ${JSON.stringify({ ...asked, path })}`, moment);
  if (repeat >= BLOCKED_AT) return alreadySearched(asked.pattern, repeat);
  const place = await placeOf(sandbox, path, asked);
  if ('error' in place) return failed(place.code, { error: place.error });
  const document = await search(sandbox, place, asked, context.signal);
  if (isFailure(document)) return failed(document.code, { error: document.error });
  return completed(
    repeat >= WARNED_AT ? { ...document, _warning: repeatWarning(repeat) } : document,
  );
}

function withinBounds(args: Arguments): Arguments {
  const within = (value: number, least: number, most: number): number =>
    Math.min(most, Math.max(least, value));
  return {
    ...args,
    limit: within(args.limit, 1, MOST_RESULTS),
    offset: Math.max(0, args.offset),
    context: within(args.context, 0, MOST_CONTEXT),
  };
}

/** root: a folder. only: the one file in it to search, one character a byte; null: all. */
type SearchPlace = Readonly<{ root: string; only: string | null; name: (path: string) => string }>;

async function placeOf(
  sandbox: Sandbox,
  path: string,
  { path: spelled }: Arguments,
): Promise<SearchPlace | SearchFailure> {
  if (!sandbox.capabilities.shell) {
    return { code: 'UNSUPPORTED', error: 'This sandbox has no shell to search with' };
  }
  const found = await statFollowingLinks(sandbox.files, path);
  if (!found.ok) return { code: found.code, error: fileErrorText(found.code, spelled) };
  const { type, path: real } = found.value;
  if (type === 'directory') {
    return { root: real, only: null, name: (below) => posix.join(spelled, below) };
  }
  if (type !== 'file')
    return { code: 'DEVICE_FILE', error: `Cannot search in ${spelled}: it is no file or folder` };
  const only = Buffer.from(posix.basename(real)).toString('latin1');
  return { root: posix.dirname(real), only, name: () => spelled };
}

type Document = JsonObject | SearchFailure;

function isFailure(document: Document): document is SearchFailure {
  return 'error' in document;
}

async function search(
  sandbox: Sandbox,
  place: SearchPlace,
  asked: Arguments,
  signal: AbortSignal,
): Promise<Document> {
  return asked.target === 'files'
    ? await searchNames(sandbox, place, asked, signal)
    : await searchContent(sandbox, place, asked, signal);
}

async function searchNames(
  sandbox: Sandbox,
  { root, only, name }: SearchPlace,
  asked: Arguments,
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
  asked: Arguments,
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
  { file_glob: glob }: Arguments,
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

function pageOf({ records }: Answer, asked: Arguments, { name }: SearchPlace): JsonObject {
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

function alreadySearched(pattern: string, repeat: number): ToolResult {
  const error = `BLOCKED: you made this very search ${repeat} times in a row and nothing else happened in between. You have the results; go on with the task.`;
  return failed('REPEATED_SEARCH', { error, pattern, already_searched: repeat });
}

function repeatWarning(repeat: number): string {
  return `You have made exactly this search ${repeat} times in a row and the results are the same. Use what you have; the next time will be refused.`;
}
