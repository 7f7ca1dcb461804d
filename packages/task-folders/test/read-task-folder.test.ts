import { cp, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTaskFolder } from '../src/index.ts';
import { makeTask, temporaryFolder } from './_make-task.ts';

function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

describe('a task folder', () => {
  it('is read with everything its files say', async () => {
    const dir = await makeTask({
      'task.toml': `version = "1.0"
[metadata]
difficulty = "hard"
category = "tests"
tags = ["a", "b"]
commands = ["git", "make"]
[agent]
timeout_sec = 12.5
[verifier]
timeout_sec = 30
user = 1000
env = { KEY = "\${SECRET}" }
[solution.env]
LEVEL = "2"
[environment]
docker_image = "example.org/x:1"
cpus = 2
memory = "1G"
allow_internet = false
workdir = "/srv"
env = { MODE = "\${MODE:-fast}" }
[environment.healthcheck]
command = "true"
`,
      'solution/solve.sh': 'true',
    });
    expect(await readTaskFolder(dir)).toMatchObject({
      name: basename(dir),
      dir,
      instruction: 'Write hello into out.txt.\n',
      commands: ['git', 'make'],
      image: { kind: 'ref', ref: 'example.org/x:1' },
      workdir: '/srv',
      network: { mode: 'none' },
      needs: { users: true },
      cpus: 2,
      memoryBytes: 1024 ** 3,
      diskBytes: null,
      agentTimeoutMs: 12_500,
      verifierTimeoutMs: 30_000,
      buildTimeoutMs: 600_000,
      env: { MODE: '${MODE:-fast}' },
      verifierEnv: { KEY: '${SECRET}' },
      solutionEnv: { LEVEL: '2' },
      verifierUser: '1000',
      healthcheck: { command: 'true', intervalMs: 5000, timeoutMs: 30_000, retries: 3 },
      hasSolution: true,
      tags: { difficulty: 'hard', category: 'tests', tags: 'a,b' },
      unsupported: null,
      problems: [],
    });
  });

  it('of the least content has the defaults', async () => {
    const folder = await readTaskFolder(await makeTask({}));
    expect(folder).toMatchObject({
      image: null,
      dockerfile: null,
      network: { mode: 'open' },
      needs: {},
      agentTimeoutMs: null,
      hasSolution: false,
      tags: {},
    });
  });

  it('takes of the free metadata what it can use as tags', async () => {
    const toml =
      '[metadata]\ndifficulty = 3\ncategory = "x"\ntags = "one"\nauthor = { name = "n" }';
    expect(await readTaskFolder(await makeTask({ 'task.toml': toml }))).toMatchObject({
      tags: { category: 'x', tags: 'one' },
      problems: [],
    });
  });

  it('has a digest that its content alone decides', async () => {
    const dir = await makeTask({ 'tests/data/x.txt': '1' });
    const { digest } = await readTaskFolder(dir);
    const copy = join(await temporaryFolder(), 'other-name');
    await cp(dir, copy, { recursive: true });
    expect((await readTaskFolder(copy)).digest).toBe(digest);
    await writeFile(join(copy, 'tests/data/x.txt'), '2');
    expect((await readTaskFolder(copy)).digest).not.toBe(digest);
    await writeFile(join(copy, 'tests/data/x.txt'), '1');
    await rename(join(copy, 'tests/data/x.txt'), join(copy, 'tests/data/y.txt'));
    expect((await readTaskFolder(copy)).digest).not.toBe(digest);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each([
    [{ 'tests/test.sh': null }, 'tests/test.sh: is missing'],
    [{ 'instruction.md': null }, 'instruction.md: is missing'],
    [{ 'task.toml': null }, 'task.toml: is missing'],
    [{ 'task.toml': '[[steps]]\nname = "one"' }, 'task.toml:1: tasks of several steps'],
    [{ 'task.toml': '[environment]\nos = "windows"' }, 'task.toml:2: windows'],
    [{ 'task.toml': '[[environment.mcp_servers]]\nname = "x"' }, 'mcp_servers are not supported'],
    [
      { 'task.toml': '[agent]\nnetwork_mode = "no-network"' },
      'task.toml:2: a network_mode of [agent]',
    ],
    [{ 'task.toml': '[agent\n' }, 'task.toml:1:'],
  ])('with %j is refused, with the place', async (files, message) => {
    const dir = await makeTask(files);
    const reading = readTaskFolder(dir);
    await expect(reading).rejects.toMatchObject({ boundary: 'data', code: 'TASK' });
    await expect(reading).rejects.toThrow(message);
  });

  it('that is not there at all is refused with its path', async () => {
    await expect(readTaskFolder('/nowhere/task')).rejects.toThrow(
      '/nowhere/task/task.toml: is missing',
    );
  });

  it.each([
    ['no-tests', 'no-tests/tests/test.sh: is missing'],
    ['bad-toml', 'bad-toml/task.toml:2:'],
    ['conflicting-memory', 'conflicting-memory/task.toml:5: memory and memory_mb'],
  ])('of the broken set, %s, is refused', async (name, message) => {
    await expect(readTaskFolder(fixture(`broken-set/${name}`))).rejects.toThrow(message);
  });

  it.each([
    [
      '[verifier.environment]\ndocker_image = "x"',
      {},
      'an environment of its own for the verifier',
    ],
    ['', { 'environment/docker-compose.yaml': 'services: {}' }, 'docker-compose'],
    ['[environment.tpu]\ntype = "v5"', {}, 'TPU'],
  ])('that asks for %j says that no sandbox can run it yet', async (toml, files, reason) => {
    const folder = await readTaskFolder(await makeTask({ 'task.toml': toml, ...files }));
    expect(folder.unsupported).toContain(reason);
  });

  it.each([
    [
      '#!/bin/bash\nset -e\npytest\nif [ $? -eq 0 ]; then echo 1; else echo 0; fi > reward.txt',
      'tests/test.sh:4',
    ],
    ['#!/bin/bash -e\npytest\necho $? > reward.txt', 'tests/test.sh:3'],
    ['set -euo pipefail\npytest\necho $? > reward.txt', 'tests/test.sh:3'],
    ['echo done', 'tests/test.sh:1'],
    ['echo 1 > reward.txt\r\n', 'tests/test.sh:1'],
  ])('whose verifier is %j gets a warning', async (script, place) => {
    const { problems } = await readTaskFolder(await makeTask({ 'tests/test.sh': script }));
    expect(problems).toEqual([expect.objectContaining({ level: 'warning', place })]);
  });

  it.each([
    'set -e\nset +e\npytest\necho $? > reward.txt',
    'pytest\necho $? > reward.txt',
    'set -u\npytest; echo $? > reward.json',
  ])('whose verifier is %j gets none', async (script) => {
    expect((await readTaskFolder(await makeTask({ 'tests/test.sh': script }))).problems).toEqual(
      [],
    );
  });

  it('without network whose verifier installs tools gets a warning', async () => {
    const files = {
      'task.toml': '[environment]\nallow_internet = false',
      'tests/test.sh': 'x\napt-get update\necho 1 > reward.txt',
    };
    const { problems } = await readTaskFolder(await makeTask(files));
    expect(problems).toEqual([expect.objectContaining({ place: 'tests/test.sh:2' })]);
  });
});

describe('absolute places', () => {
  const dockerfile = 'FROM a\nWORKDIR /app\n';
  it.each([
    [{ 'instruction.md': 'Write /app/out.txt.' }, true],
    [{ 'instruction.md': 'Write `out.txt`, see http://x.org/app/y and docs/tests/a.' }, false],
    [{ 'tests/test.sh': 'cat /app/out.txt; echo 1 > reward.txt' }, true],
    [
      {
        'tests/test.sh':
          '# Harbor: /tests/test.sh\necho 1 > "${VERIFIER_DIR:-/logs/verifier}/reward.txt"; ls "${TESTS_DIR:-/tests}"',
      },
      false,
    ],
    [{ 'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt' }, true],
    [{ 'tests/check.py': 'open("/app/x")' }, true],
    [{ 'tests/data.txt': 'GET /app/x' }, false],
    [{ 'solution/solve.sh': 'cd /app' }, true],
    [{ 'environment/Dockerfile': `${dockerfile}COPY a.txt ./`, 'environment/a.txt': 'a' }, false],
    [{ 'environment/Dockerfile': `${dockerfile}COPY a.txt /opt/`, 'environment/a.txt': 'a' }, true],
    [{ 'environment/Dockerfile': `${dockerfile}ENV HOME_OF_ALL=/app/x` }, true],
    [
      {
        'instruction.md': 'Write /app/out.txt.',
        'task.toml': '[metadata]\nabsolute_paths = false',
      },
      false,
    ],
    [{ 'task.toml': '[metadata]\nabsolute_paths = true' }, true],
  ])('%j: needed is %s', async (files, needed) => {
    const folder = await readTaskFolder(await makeTask(files));
    expect(folder.needs.absolutePaths ?? false).toBe(needed);
  });
});
