import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTaskFolder } from '../src/index.ts';
import type { TaskFolder } from '../src/types.ts';
import { temporaryFolder } from './_make-task.ts';

const run = promisify(execFile);
const TASKS = fileURLToPath(new URL('../tasks/smoke', import.meta.url));
const names = (await readdir(TASKS)).sort();

/** What a task may use: bash, grep, sed, awk, and of coreutils what the tasks and their verifiers are known to call. */
const PROGRAMS =
  'bash grep sed awk basename base64 cat chmod comm cp cut date dirname env expr fold head join ls mkdir mktemp mv nl od paste printf pwd readlink realpath rm rmdir seq sha256sum shuf sort stat tac tail tee test timeout touch tr tsort true uniq wc'.split(
    ' ',
  );

let bin = '';

beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), 'hermes-smoke-bin-'));
  const script = 'for name; do type -P "$name" || exit 1; done';
  const found = await run('bash', ['-c', script, 'bash', ...PROGRAMS]);
  const paths = found.stdout.trim().split('\n');
  for (const [index, name] of PROGRAMS.entries())
    await symlink(paths[index] ?? '', join(bin, name));
});

afterAll(() => rm(bin, { recursive: true, force: true }));

/** Plays a task with bash alone: files into place, the solution if wanted, then the verifier. Returns the reward file. */
async function play(folder: TaskFolder, agent: (app: string) => Promise<unknown>): Promise<string> {
  const root = await temporaryFolder();
  const app = join(root, 'app');
  const verifier = join(root, 'verifier');
  const tests = join(root, 'tests');
  for (const dir of [app, verifier]) await mkdir(dir);
  await place(folder, app);
  await agent(app);
  await cp(join(folder.dir, 'tests'), tests, { recursive: true });
  await bash(join(tests, 'test.sh'), app, { VERIFIER_DIR: verifier });
  return readFile(join(verifier, 'reward.txt'), 'utf8');
}

async function bash(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const options = { cwd, env: { PATH: bin, ...env }, timeout: 60_000 };
  return run(join(bin, 'bash'), [script], options);
}

/** Pipes where the answers should be: a verifier that opens one never ends. */
async function plantPipes(folder: TaskFolder, app: string): Promise<void> {
  const names = folder.instruction.match(/`[\w-]+\.(?:csv|tsv|txt|ini|sh)`/g) ?? [];
  expect(names.length).toBeGreaterThan(0);
  for (const name of new Set(names.map((one) => one.slice(1, -1)))) {
    await rm(join(app, name), { force: true });
    await run('mkfifo', [join(app, name)]);
  }
}

async function place(folder: TaskFolder, app: string): Promise<void> {
  if (folder.dockerfile?.kind !== 'simple') throw new Error('not a simple Dockerfile');
  for (const file of folder.dockerfile.files) {
    const target = join(app, posix.relative(folder.dockerfile.workdir, file.path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await readFile(file.source));
    await chmod(target, file.mode);
  }
}

describe('the smoke tasks', () => {
  it('are sixteen, each with tags, a solution and a Dockerfile that needs no image', async () => {
    expect(names).toHaveLength(16);
    for (const name of names) {
      const folder = await readTaskFolder(join(TASKS, name));
      expect(folder).toMatchObject({
        hasSolution: true,
        problems: [],
        needs: {},
        unsupported: null,
        dockerfile: { kind: 'simple', workdir: '/app' },
      });
      expect(Object.keys(folder.tags)).toEqual(['difficulty', 'category', 'tags']);
      const dockerfile = await readFile(join(folder.dir, 'environment/Dockerfile'), 'utf8');
      expect(dockerfile).toMatch(/^ARG BASE=debian:bookworm-slim\nFROM \$\{BASE\}\n/);
    }
  });

  it.each(names)(
    '%s gives 1 to its solution and 0 to nothing, with the named programs alone',
    async (name) => {
      const folder = await readTaskFolder(join(TASKS, name));
      const solve = (app: string) => bash(join(folder.dir, 'solution/solve.sh'), app, {});
      expect(await play(folder, solve)).toBe('1\n');
      expect(await play(folder, async () => undefined)).toBe('0\n');
    },
    60_000,
  );

  it.each(names)(
    '%s gives 0 to pipes in place of its answers, without waiting for them',
    async (name) => {
      const folder = await readTaskFolder(join(TASKS, name));
      expect(await play(folder, (app) => plantPipes(folder, app))).toBe('0\n');
    },
    60_000,
  );
});
