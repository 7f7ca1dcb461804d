import { readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Solution } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { listFiles } from './_digest.ts';
import { refuseOutside } from './_read-text.ts';
import type { TaskFolder } from './types.ts';

const MAX_COMMAND_BYTES = 1024 * 1024;

/**
 * One terminal call that brings the whole solution folder along and runs solve.sh in the working directory; null = the
 * task has none. Only the oracle ever asks for it, so a live model's sandbox never holds a solution. The call names no time
 * limit: a solution's commands are bound by the agent's deadline alone.
 */
export async function taskSolution(
  folder: TaskFolder,
  env: Readonly<Record<string, string>>,
): Promise<Solution | null> {
  if (!folder.hasSolution) return null;
  const command = await solutionCommand(folder, env);
  if (command.length > MAX_COMMAND_BYTES)
    throw new HermesError(
      'environment',
      'SOLUTION_MISSING',
      `${folder.name}: the solution folder is too large to be played (${command.length} of ${MAX_COMMAND_BYTES} bytes)`,
    );
  return {
    turns: [
      { content: '', calls: [{ name: 'terminal', arguments: { command } }] },
      { content: 'Done.', calls: [] },
    ],
  };
}

/** In a subshell, so that nothing of it stays in the session. Uses coreutils alone. */
async function solutionCommand(
  folder: TaskFolder,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const place =
    folder.needs.absolutePaths === true ? '/solution && mkdir -p /solution' : '$(mktemp -d)';
  const files = await listFiles(join(folder.dir, 'solution'), '');
  const writes = await Promise.all(files.map((file) => writeCommand(folder, file.path)));
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return `(\nSOLUTION_DIR=${place} || exit 1\n${[...writes, ...exports].join('\n')}\nbash "$SOLUTION_DIR/solve.sh"\nstatus=$?\nrm -rf "$SOLUTION_DIR"\nexit "$status"\n)`;
}

async function writeCommand(folder: TaskFolder, path: string): Promise<string> {
  const source = join(folder.dir, 'solution', path);
  await refuseUnplayable(folder, path);
  const lines = (await readFile(source)).toString('base64').replace(/.{1,76}/g, '$&\n');
  const mode = ((await stat(source)).mode & 0o777).toString(8);
  const target = `"$SOLUTION_DIR"/${quoted(path)}`;
  const parent = `"$SOLUTION_DIR"/${quoted(posix.dirname(path))}`;
  return `mkdir -p ${parent} && base64 -d > ${target} <<'HERMES_SOLUTION'\n${lines}HERMES_SOLUTION\nchmod ${mode} ${target}`;
}

/** A link may stand for a file of the task folder, and for nothing else. */
async function refuseUnplayable(folder: TaskFolder, path: string): Promise<void> {
  const name = join('solution', path);
  try {
    await refuseOutside(folder.dir, name);
    if ((await stat(join(folder.dir, name))).isFile()) return;
  } catch (error) {
    if (HermesError.isInstance(error)) throw unplayable(error.message);
  }
  throw unplayable(`${join(folder.dir, name)}: is a link to no file`);
}

function unplayable(message: string): HermesError {
  return new HermesError('environment', 'ITEM_INVALID', message);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
