import type { Effects } from '@hermes/protocol';
import type { Command, ExecRequest, FileResult, Sandbox } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { statFollowingLinks } from './_follow-links.ts';
import { download, upload, writeChecked } from './_transfer.ts';
import type { ToolContext, ToolExecOptions } from './types.ts';

const DEFAULT_TIMEOUT_MS = 180_000;
const MAX_OUTPUT_BYTES = 100 * 1024 * 1024;

export type ToolContextOptions = Readonly<{
  sandbox: Sandbox | null;
  callTool: ToolContext['callTool'];
  effects: Effects;
  /** Ends what runs; the commands then come back as `cancelled`. */
  signal: AbortSignal;
}>;

/** The verifier's hands in the rollout's sandbox, with none of the model's limits and none of its state. */
export function createToolContext(options: ToolContextOptions): ToolContext {
  const { callTool, effects, signal } = options;
  const need = (): Sandbox => options.sandbox ?? refuseWithout();
  const withFiles = async <T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> => {
    if (signal.aborted) throw cancelled();
    return await unlessAborted(work(need()), signal);
  };

  return {
    sandbox: options.sandbox,
    callTool,
    async exec(command, execOptions = {}) {
      const sandbox = need();
      return await sandbox.exec(freshRequest(sandbox, command, execOptions, signal));
    },
    readText: (path) => withFiles((sandbox) => readText(sandbox, path)),
    readBytes: (path) => withFiles((sandbox) => readBytes(sandbox, path)),
    stat: (path) => withFiles(({ files }) => files.stat(path)),
    exists: (path) => withFiles(async ({ files }) => (await statFollowingLinks(files, path)).ok),
    write: (path, data, writeOptions) =>
      withFiles((sandbox) => writeChecked(sandbox, path, data, writeOptions)),
    remove: (path) => withFiles((sandbox) => remove(sandbox, path)),
    upload: (local, path) => withFiles((sandbox) => upload(sandbox, local, path, signal)),
    download: (path, local) =>
      withFiles((sandbox) => download(sandbox, path, local, { effects, signal })),
  };
}

async function readBytes({ files }: Sandbox, path: string): Promise<FileResult<Uint8Array>> {
  return await files.read(path, { maxBytes: MAX_OUTPUT_BYTES });
}

async function readText(sandbox: Sandbox, path: string): Promise<FileResult<string>> {
  const read = await readBytes(sandbox, path);
  return read.ok ? { ok: true, value: new TextDecoder().decode(read.value) } : read;
}

async function remove({ files }: Sandbox, path: string): Promise<FileResult<null>> {
  const removed = await files.remove(path, { recursive: true });
  const isGone = !removed.ok && removed.code === 'FILE_NOT_FOUND';
  return isGone ? { ok: true, value: null } : removed;
}

/** A one-shot command has nothing of the model's shell: own process, the sandbox's environment and folder. */
function freshRequest(
  sandbox: Sandbox,
  command: Command | string,
  toolOptions: ToolExecOptions,
  signal: AbortSignal,
): ExecRequest {
  const { maxOutputBytes = MAX_OUTPUT_BYTES, ...options } = toolOptions;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, cwd = sandbox.info.workdir } = options;
  return {
    ...options,
    command: typeof command === 'string' ? { script: command } : command,
    timeoutMs,
    cwd,
    signal,
    output: { maxBytes: maxOutputBytes },
  };
}

/** Rejects with CANCELLED as soon as the signal fires; what was begun is then on its own. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const own = AbortSignal.any([signal]); // many at once do not crowd one signal
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled());
    own.addEventListener('abort', abort);
    work
      .then(resolve, (error) => reject(signal.aborted ? cancelled() : error))
      .finally(() => own.removeEventListener('abort', abort));
  });
}

function refuseWithout(): never {
  const message = 'This environment has no sandbox; only callTool can be used in its verifier';
  throw new SandboxError('CONFIG', 'request', message);
}

function cancelled(): SandboxError {
  return new SandboxError(
    'CANCELLED',
    'request',
    'The rollout was stopped before this could be done',
  );
}
