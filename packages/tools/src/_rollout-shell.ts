import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { ExecRequest, ExecResult, Sandbox, ShellSession } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { currentFolder } from './_paths.ts';
import { tempFolder } from './_temp-folder.ts';
import type { ToolResources } from './types.ts';

type ShellCommand = Readonly<{
  command: string;
  timeoutMs: number;
  workdir: string | null;
  signal: AbortSignal;
}>;

/** note: what the model should know beside the output; null: nothing. */
type ShellAnswer = Readonly<{ result: ExecResult; note: string | null }>;

/** The one shell a model works in: folder, exports and functions survive from command to command. */
export interface RolloutShell {
  run(sandbox: Sandbox, command: ShellCommand): Promise<ShellAnswer>;
  /** A script that gives another shell this one's exported variables; '' where there are none. */
  exportsScript(sandbox: Sandbox, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** A shell that opens its session with the first command, and again after it was lost. */
export function createRolloutShell(resources: ToolResources, effects: Effects): RolloutShell {
  let session: ShellSession | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** A session runs one command at a time; agents that share it wait for each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const running = last.then(work);
    last = running.catch(() => undefined);
    return running;
  };

  const forget = async (): Promise<void> => {
    const lost = session;
    session = null;
    await lost?.close();
  };

  const runInSession = (sandbox: Sandbox, request: ExecRequest): Promise<ExecResult> =>
    inTurn(async () => {
      session ??= await sandbox.session({ cwd: currentFolder(resources, sandbox) });
      try {
        return await session.exec(request);
      } catch (error) {
        if (!isBusy(error)) await forget().catch(() => undefined); // the first error is the one to tell
        throw error;
      }
    });

  return {
    async run(sandbox, command) {
      resources.shell.commandsRun += 1;
      const runOnce = sandbox.capabilities.sessions
        ? () => runInSession(sandbox, sessionRequest(command))
        : () => runAlone(sandbox, command, resources, effects);
      const result = await runOnce();
      const note =
        result.status === 'not_started'
          ? await leaveMissingFolder(sandbox, command, resources)
          : null;
      const final = note === null ? result : await runOnce();
      resources.shell.cwd = final.cwdAfter ?? resources.shell.cwd;
      return { result: final, note };
    },
    async exportsScript(sandbox, signal) {
      if (session === null) return '';
      // The model may have a function of that name.
      const command = { script: 'command export -p' };
      const result = await runInSession(sandbox, { command, timeoutMs: 10_000, signal });
      return exportsOf(result);
    },
    close: forget,
  };
}

function sessionRequest({ command, timeoutMs, workdir, signal }: ShellCommand): ExecRequest {
  const request = { command: { script: command }, timeoutMs, signal, output: { merge: true } };
  return workdir === null ? request : { ...request, cwd: workdir };
}

function runAlone(
  sandbox: Sandbox,
  command: ShellCommand,
  resources: ToolResources,
  effects: Effects,
): Promise<ExecResult> {
  const cwd = command.workdir ?? currentFolder(resources, sandbox);
  const request = { ...sessionRequest(command), cwd };
  return sandbox.capabilities.shell
    ? runKeepingFolder(sandbox, command, request, effects)
    : sandbox.exec(request);
}

/** Without sessions the folder alone survives: the shell leaves it in a file when it ends. */
async function runKeepingFolder(
  sandbox: Sandbox,
  command: ShellCommand,
  request: ExecRequest,
  effects: Effects,
): Promise<ExecResult> {
  const file = `${await tempFolder(sandbox, command.signal)}/${effects.newId('cwd')}`;
  const script = `trap 'pwd -P 2>/dev/null >"${file}"' EXIT; ${command.command}`;
  const result = await sandbox.exec({ ...request, command: { script } });
  return { ...result, cwdAfter: result.cwdAfter ?? (await takeFolder(sandbox, file)) };
}

async function takeFolder(sandbox: Sandbox, file: string): Promise<string | null> {
  const read = await sandbox.files.read(file);
  if (!read.ok) return null; // killed before it could tell
  await sandbox.files.remove(file);
  const folder = new TextDecoder().decode(read.value).replace(/\n$/, '');
  return folder.startsWith('/') ? folder : null;
}

/** A command did not start. A removed folder must not wedge the shell: back to the sandbox's own, and say so. */
async function leaveMissingFolder(
  sandbox: Sandbox,
  command: ShellCommand,
  resources: ToolResources,
): Promise<string | null> {
  const { cwd } = resources.shell;
  if (command.workdir !== null || cwd === null) return null;
  const stat = await sandbox.files.stat(cwd);
  if (stat.ok) return null;
  resources.shell.cwd = null;
  return `[The working directory ${cwd} is gone; the command ran in ${sandbox.info.workdir}]`;
}

/** '' where they could not be had whole. */
function exportsOf({ status, stdout }: ExecResult): string {
  if (status === 'cancelled') {
    const message = 'The rollout was stopped before the process started';
    throw new SandboxError('CANCELLED', 'request', message);
  }
  const isWhole = status === 'exited' && stdout.droppedBytes === 0;
  return isWhole ? withoutFolders(new TextDecoder().decode(stdout.bytes)) : '';
}

const FOLDER_EXPORT = /^(?:declare -\S+|export) (?:PWD|OLDPWD|SHLVL)(?:=|$)/;

function withoutFolders(exportsText: string): string {
  return exportsText
    .split('\n')
    .filter((line) => !FOLDER_EXPORT.test(line))
    .join('\n');
}

function isBusy(error: unknown): boolean {
  return HermesError.isInstance(error) && error.code === 'SESSION_BUSY';
}
