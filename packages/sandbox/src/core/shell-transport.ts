import type { ExecRequest, ExecResult, FileCode, FileResult, FileStat } from '../types.ts';
import { SandboxError } from '../types.ts';
import type { ExecEngine } from './exec-engine.ts';
import type { FileOpFrame, TransferFrame } from './file-frames.ts';
import type { FileSource } from './file-put.ts';
import type { FileTransport } from './file-transport.ts';
import { shellDownload } from './shell-download.ts';
import * as scripts from './shell-scripts.ts';

/** What the C library says, and the code it means; the first that is found counts. */
const MEANINGS: readonly (readonly [words: string, code: FileCode])[] = [
  ['No space left', 'NO_SPACE'],
  ['Disk quota exceeded', 'NO_SPACE'],
  ['Permission denied', 'PERMISSION'],
  ['Operation not permitted', 'PERMISSION'],
  ['Read-only file system', 'PERMISSION'],
  ['File exists', 'ALREADY_EXISTS'],
  ['Directory not empty', 'ALREADY_EXISTS'],
  ['Not a directory', 'NOT_A_DIRECTORY'],
  ['Is a directory', 'IS_A_DIRECTORY'],
  ['No such file', 'FILE_NOT_FOUND'],
  ['File name too long', 'FILE_NOT_FOUND'],
  ['nonexistent directory', 'FILE_NOT_FOUND'],
];

const TYPES: Readonly<Record<number, FileStat['type']>> = {
  8: 'file',
  4: 'directory',
  10: 'link',
};

/** Files by commands: `cat`, `stat`, `mv`, `rm` and `tar` of the sandbox. */
export function shellTransport(engine: ExecEngine): FileTransport {
  return {
    op: (request) => operate(engine, request),
    get: async (request, sink) => {
      const script = request.form === 'tar' ? scripts.PACK : scripts.READ;
      return shellDownload(
        engine,
        scriptRequest(script, [request.path], request.user),
        sink,
        (result) => failure(result, request.path),
      );
    },
    put: (request, source) => put(engine, request, source),
  };
}

async function operate(engine: ExecEngine, request: FileOpFrame): Promise<FileResult<unknown>> {
  const { path, op } = request;
  if (path.includes('\0')) return { ok: false, code: 'FILE_NOT_FOUND', path };
  const result = await engine.exec(opRequest(request));
  if (!succeeded(result)) return failure(result, path);
  if (op !== 'stat' && op !== 'list') return { ok: true, value: null };
  const stats = parseStats(result.stdout.text());
  return { ok: true, value: op === 'list' ? stats : stats[0] };
}

function opRequest({ op, path, to, recursive, user }: FileOpFrame): ExecRequest {
  const calls = {
    stat: [scripts.STAT, path],
    list: [scripts.LIST, path],
    mkdir: [scripts.MKDIR, path],
    remove: [scripts.REMOVE, path, recursive === true ? 'yes' : 'no'],
    rename: [scripts.RENAME, path, to ?? ''],
  } as const;
  const [script, ...args] = calls[op];
  return scriptRequest(script, args, user);
}

async function put(
  engine: ExecEngine,
  { path, form, mode, user }: TransferFrame,
  source: FileSource,
): Promise<FileResult<null>> {
  if (path.includes('\0')) return { ok: false, code: 'FILE_NOT_FOUND', path };
  const script = form === 'tar' ? scripts.UNPACK : scripts.WRITE;
  const request = scriptRequest(script, [path, mode?.toString(8) ?? ''], user);
  const result = await engine.exec({ ...request, stdin: source });
  return succeeded(result) ? { ok: true, value: null } : failure(result, path);
}

function scriptRequest(
  script: string,
  args: readonly string[],
  user: string | undefined,
): ExecRequest {
  return {
    command: { argv: ['sh', '-c', script, 'sh', ...args] },
    timeoutMs: Number.POSITIVE_INFINITY,
    cwd: '/',
    env: { LC_ALL: 'C' },
    output: { maxBytes: 67_108_864 },
    ...(user === undefined ? {} : { user }),
  };
}

function succeeded(result: ExecResult): boolean {
  return result.status === 'exited' && result.exitCode === 0;
}

function failure(result: ExecResult, path: string): FileResult<never> {
  const words = result.stderr.text();
  const meaning = MEANINGS.find(([part]) => words.includes(part));
  if (meaning !== undefined) return { ok: false, code: meaning[1], path };
  const message = `file operation on ${path}: ${result.status} ${words.trim()}`;
  throw new SandboxError('SANDBOX_UNHEALTHY', 'request', message);
}

function parseStats(text: string): FileStat[] {
  const fields = text.split('\0');
  const stats: FileStat[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    stats.push(parseStat(fields[at] ?? '', fields[at + 1] ?? '', fields[at + 2] ?? ''));
  return stats;
}

function parseStat(numbers: string, path: string, linkTarget: string): FileStat {
  const [mode = '0', size = '0', mtime = '0'] = numbers.split(' ');
  const bits = Number.parseInt(mode, 16);
  const type = TYPES[bits >> 12] ?? 'other';
  return {
    path,
    type,
    size: Number(size),
    mode: bits & 0o7777,
    mtimeMs: Number(mtime) * 1000,
    linkTarget: type === 'link' ? linkTarget : null,
  };
}
