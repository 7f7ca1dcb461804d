import type { JsonObject, ToolCallContext, ToolResult } from '@hermes/protocol';
import type { ExecRequest, Sandbox } from '@hermes/sandbox';
import { absolutePath, currentFolder } from './_paths.ts';
import type { TerminalParts } from './_terminal-tool.ts';
import { completed, failed } from './_tool.ts';

type BackgroundArguments = Readonly<{
  command: string;
  workdir?: string | undefined;
  pty: boolean;
}>;

/** Starts a command in the process registry and answers with its session id. */
export async function startBackground(
  { resources, shell, registry }: TerminalParts,
  { command, workdir, pty }: BackgroundArguments,
  { signal }: ToolCallContext,
): Promise<ToolResult> {
  const sandbox = await resources.sandbox(signal);
  const folder = currentFolder(resources, sandbox);
  const cwd = workdir === undefined ? folder : await absolutePath(workdir, resources, sandbox);
  const exports = await shell.exportsScript(sandbox, signal);
  resources.shell.commandsRun += 1;
  const script = exports === '' ? command : `${exports}\n${command}`;
  const request = spawnRequest(sandbox, script, cwd, pty);
  const { process, refusal } = await registry.start(sandbox, { command, cwd, request });
  if (process === null) return notStarted(refusal);
  const document = {
    output: 'Background process started',
    session_id: process.id,
    pid: process.pid,
    exit_code: 0,
    error: null,
  };
  return completed(pty && !sandbox.capabilities.tty ? { ...document, ...PTY_NOTE } : document);
}

function spawnRequest(sandbox: Sandbox, script: string, cwd: string, pty: boolean): ExecRequest {
  const { tty, stdin } = sandbox.capabilities;
  return {
    command: { script },
    cwd,
    timeoutMs: Number.POSITIVE_INFINITY,
    env: { PYTHONUNBUFFERED: '1' },
    output: { merge: true },
    ...(stdin ? { stdin: 'open' } : {}),
    ...(pty && tty ? { tty: { cols: 120, rows: 30 } } : {}),
  };
}

const PTY_NOTE: JsonObject = {
  pty_note: 'This sandbox has no pseudo-terminals; the process was started with pipes',
};

function notStarted(error: string): ToolResult {
  return failed('PROCESS_NOT_STARTED', { output: '', exit_code: -1, error });
}
