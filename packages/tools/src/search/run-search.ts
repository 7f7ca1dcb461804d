import type { ExecResult, Sandbox } from '@hermes/sandbox';
import type { Expression } from './expression.ts';
import { asksForHidden } from './glob.ts';
import { LIST_FILES, SEARCH_FILES } from './search-scripts.ts';

const SEARCH_TIMEOUT_MS = 60_000;
const LIST_BYTES = 32 * 1024 * 1024;
const ANSWER_BYTES = 4 * 1024 * 1024;

/** A file below the searched folder. raw: its path byte for byte, one character a byte. */
type FoundFile = Readonly<{ raw: string; path: string; mtime: number; size: number }>;

/** Why a search came to nothing. */
export type SearchFailure = Readonly<{ code: string; error: string }>;

/** isCut: there is more than is shown. */
export type Listing = Readonly<{ files: readonly FoundFile[]; isCut: boolean }>;
export type Answer = Readonly<{ records: readonly SearchRecord[]; isCut: boolean }>;

/** text: what stands after the path: `LINE:TEXT`, a count, or nothing. */
export type SearchRecord = Readonly<{ path: string; text: string }>;

/** All files below a folder, in no order. */
export async function listFiles(
  sandbox: Sandbox,
  root: string,
  glob: string | null,
  signal: AbortSignal,
): Promise<Listing | SearchFailure> {
  const which = asksForHidden(glob) ? 'all' : 'plain';
  const argv = ['sh', '-c', LIST_FILES, 'list', root, which, String(LIST_BYTES)] as const;
  const result = await run(sandbox, argv, LIST_BYTES, signal);
  const failure = failureOf(result, root);
  if (failure !== null) return failure;
  const entries = latin1(result).split('\0');
  entries.pop(); // '' after the last NUL, or an entry that was cut
  return { files: entries.flatMap(fileOf), isCut: result.stdout.bytes.length >= LIST_BYTES };
}

/** Searches the given files in their order. */
export async function searchIn(
  sandbox: Sandbox,
  search: Readonly<{
    root: string;
    files: readonly string[];
    expression: Expression;
    mode: 'content' | 'files_only' | 'count';
    context: number;
  }>,
  signal: AbortSignal,
): Promise<Answer | SearchFailure> {
  const { root, files, expression, mode, context } = search;
  if (files.length === 0) return { records: [], isCut: false };
  const options = [
    root,
    expression.modern,
    expression.posix ?? '',
    mode,
    String(context),
    String(ANSWER_BYTES),
  ];
  const argv = ['sh', '-c', SEARCH_FILES, 'search', ...options] as const;
  const stdin = Buffer.from(files.map((file) => `./${file}\0`).join(''), 'latin1');
  const result = await run(sandbox, argv, ANSWER_BYTES, signal, stdin);
  const failure = failureOf(result, root);
  if (failure !== null) return failure;
  return {
    records: recordsOf(latin1(result), mode),
    isCut: result.stdout.bytes.length >= ANSWER_BYTES,
  };
}

function run(
  sandbox: Sandbox,
  argv: readonly [string, ...string[]],
  maxBytes: number,
  signal: AbortSignal,
  stdin?: Uint8Array,
): Promise<ExecResult> {
  const output = { maxBytes, keep: 'head' } as const;
  const request = { command: { argv }, timeoutMs: SEARCH_TIMEOUT_MS, output, signal };
  return sandbox.exec(stdin === undefined ? request : { ...request, stdin });
}

function failureOf(result: ExecResult, root: string): SearchFailure | null {
  if (result.status === 'timeout') {
    const error = `The search took longer than ${SEARCH_TIMEOUT_MS / 1000}s. Search in a smaller folder or with file_glob.`;
    return { code: 'SEARCH_TIMEOUT', error };
  }
  if (result.status === 'cancelled')
    return { code: 'CANCELLED', error: 'The search was cancelled' };
  if (result.status !== 'exited')
    return { code: 'SEARCH_FAILED', error: `The search ended early: ${result.status}` };
  if (result.exitCode === 0) return null;
  const reason = result.stderr.text().trim().slice(0, 1000);
  if (result.exitCode === 2)
    return { code: 'BAD_PATTERN', error: `The pattern is no regular expression: ${reason}` };
  return { code: 'SEARCH_FAILED', error: `Cannot search in ${root}: ${reason}` };
}

/** One character a byte: names of files are any bytes. */
function latin1({ stdout }: ExecResult): string {
  return Buffer.from(stdout.bytes).toString('latin1');
}

function utf8(raw: string): string {
  return Buffer.from(raw, 'latin1').toString();
}

function fileOf(entry: string): readonly FoundFile[] {
  const [, mtime, size, raw] = /^(\S+) (\d+) (.+)$/s.exec(entry) ?? [];
  if (raw === undefined) return [];
  return [{ raw, path: utf8(raw), mtime: Number(mtime), size: Number(size) }];
}

/** PATH NUL for each file, or PATH NUL TEXT NEWLINE: a path may have newlines in it, a text has none. */
function recordsOf(output: string, mode: string): readonly SearchRecord[] {
  const records: SearchRecord[] = [];
  for (let from = 0; from < output.length; ) {
    const nul = output.indexOf('\0', from);
    const end = mode === 'files_only' ? nul : output.indexOf('\n', nul);
    if (nul === -1 || end === -1) break; // cut in the middle
    const path = utf8(output.slice(from, nul).replace(/^\.\//, ''));
    records.push({ path, text: utf8(output.slice(nul + 1, end)) });
    from = end + 1;
  }
  return records;
}
