import type { Effects } from '@hermes/protocol';
import type { Command, ExecRequest, Sandbox } from '@hermes/sandbox';
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
  const begin = (): Sandbox => {
    if (signal.aborted) throw cancelled();
    return need();
  };

  return {
    sandbox: options.sandbox,
    callTool,
    async exec(command, execOptions = {}) {
      const sandbox = need();
      return await sandbox.exec(freshRequest(sandbox, command, execOptions, signal));
    },
    async readText(path) {
      const read = await begin().files.read(path, { maxBytes: MAX_OUTPUT_BYTES });
      return read.ok ? { ok: true, value: new TextDecoder().decode(read.value) } : read;
    },
    readBytes: async (path) => await begin().files.read(path, { maxBytes: MAX_OUTPUT_BYTES }),
    stat: async (path) => await begin().files.stat(path),
    exists: async (path) => (await statFollowingLinks(begin().files, path)).ok,
    write: async (path, data, writeOptions) =>
      await writeChecked(begin(), path, data, writeOptions),
    async remove(path) {
      const removed = await begin().files.remove(path, { recursive: true });
      const isGone = !removed.ok && removed.code === 'FILE_NOT_FOUND';
      return isGone ? { ok: true, value: null } : removed;
    },
    upload: async (local, path) => await upload(begin(), local, path, signal),
    download: async (path, local) => await download(begin(), path, local, { effects, signal }),
  };
}

/** A one-shot command has nothing of the model's shell: own process, the sandbox's environment and folder. */
function freshRequest(
  sandbox: Sandbox,
  command: Command | string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, cwd = sandbox.info.workdir, ...options }: ToolExecOptions,
  signal: AbortSignal,
): ExecRequest {
  return {
    ...options,
    command: typeof command === 'string' ? { script: command } : command,
    timeoutMs,
    cwd,
    signal,
    output: { maxBytes: MAX_OUTPUT_BYTES },
  };
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
