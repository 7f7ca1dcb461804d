import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HermesError } from '@hermes/protocol';
import { readTaskFolder } from './read-task-folder.ts';
import type { TaskFolder } from './types.ts';

/**
 * The task folders at `path`, sorted by name: `path` itself if it is one, else those directly below it. One that cannot be
 * read throws if it is the only one asked for; in a set it is kept with its error among its problems.
 */
export async function findTaskFolders(path: string): Promise<TaskFolder[]> {
  const root = resolve(path);
  if (await isTaskFolder(root)) return [await readTaskFolder(root)];
  const names = (await listFolder(root)).sort();
  const folders: TaskFolder[] = [];
  for (const name of names)
    if (await isTaskFolder(join(root, name)))
      folders.push(await readOrKeepError(join(root, name), name));
  if (folders.length > 0) return folders;
  const message = `${root}: no task folder there (a task folder has a task.toml, instruction.md and tests/test.sh)`;
  throw new HermesError('config', 'CONFIG', message);
}

async function listFolder(root: string): Promise<string[]> {
  try {
    return await readdir(root);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason =
      code === 'ENOENT'
        ? 'there is no such folder'
        : code === 'ENOTDIR'
          ? 'is no folder'
          : `cannot be read (${code})`;
    throw new HermesError('config', 'CONFIG', `${root}: ${reason}`, { cause: error });
  }
}

async function isTaskFolder(dir: string): Promise<boolean> {
  return (await exists(join(dir, 'task.toml'))) || (await exists(join(dir, 'instruction.md')));
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

async function readOrKeepError(dir: string, name: string): Promise<TaskFolder> {
  try {
    return await readTaskFolder(dir);
  } catch (error) {
    if (!HermesError.isInstance(error) || error.code !== 'TASK') throw error;
    return brokenFolder(dir, name, error);
  }
}

function brokenFolder(dir: string, name: string, error: HermesError): TaskFolder {
  const place = typeof error.details?.place === 'string' ? error.details.place : dir;
  const message = error.message.startsWith(`${place}: `)
    ? error.message.slice(place.length + 2)
    : error.message;
  return {
    name,
    dir,
    digest: `unreadable: ${message.replaceAll(dir, name)}`,
    instruction: '',
    commands: [],
    grading: { root: 'shared', carries: 'all', system: 'image', processes: 'keep' },
    artifacts: [],
    collect: [],
    namedPlaces: [],
    rewardNames: [],
    installsTools: false,
    image: null,
    dockerfile: null,
    workdir: null,
    network: { mode: 'none' },
    needs: {},
    unsupported: null,
    cpus: null,
    memoryBytes: null,
    diskBytes: null,
    gpus: null,
    agentTimeoutMs: null,
    verifierTimeoutMs: 600_000,
    buildTimeoutMs: 600_000,
    env: {},
    verifierEnv: {},
    solutionEnv: {},
    agentUser: null,
    verifierUser: null,
    healthcheck: null,
    hasSolution: false,
    tags: {},
    problems: [{ level: 'error', message, place }],
  };
}
