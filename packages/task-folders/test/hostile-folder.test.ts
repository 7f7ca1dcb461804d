import { execFileSync } from 'node:child_process';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDockerfile } from '../src/dockerfile/parse-dockerfile.ts';
import { readTaskFolder } from '../src/index.ts';
import { parseTaskToml } from '../src/parse-task-toml.ts';
import { taskSolution } from '../src/task-solution.ts';
import { makeTask, temporaryFolder } from './_make-task.ts';

const TEXTS = ['task.toml', 'instruction.md', 'tests/test.sh', 'environment/Dockerfile'];

/** A file of the host that no task may have. */
async function hostFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'host-secret');
  await writeFile(path, 'secret of the host');
  return path;
}

describe('a task folder that would have the host read something else', () => {
  it.each(TEXTS)('is refused when %s is a pipe, without opening it', async (name) => {
    const dir = await makeTask({ 'environment/x': '' });
    await rm(join(dir, name), { force: true });
    execFileSync('mkfifo', [join(dir, name)]);
    await expect(readTaskFolder(dir)).rejects.toThrow(`${name}: is no regular file`);
  });

  it.each(TEXTS)('is refused when %s is a link out of the task folder', async (name) => {
    const dir = await makeTask({ 'environment/x': '' });
    await rm(join(dir, name), { force: true });
    await symlink(await hostFile(), join(dir, name));
    await expect(readTaskFolder(dir)).rejects.toThrow(`${name}: is a link that leads out`);
  });

  it('is refused when its tests are a folder elsewhere', async () => {
    const dir = await makeTask({ 'tests/test.sh': null });
    await symlink(join(await makeTask({}), 'tests'), join(dir, 'tests'));
    await expect(readTaskFolder(dir)).rejects.toThrow('tests/test.sh: is a link that leads out');
  });

  it('may use links between its own files, and may be a link itself', async () => {
    const dir = await makeTask({ 'prompt.md': 'Do it.', 'instruction.md': null });
    await symlink('prompt.md', join(dir, 'instruction.md'));
    const link = join(await temporaryFolder(), 'link');
    await symlink(dir, link);
    expect(await readTaskFolder(link)).toMatchObject({ instruction: 'Do it.', name: 'link' });
  });

  it.each(['host-secret', 'host-folder'])('plays no solution that links to a %s', async (kind) => {
    const dir = await makeTask({ 'solution/solve.sh': 'true' });
    const target = kind === 'host-secret' ? await hostFile() : await temporaryFolder();
    await symlink(target, join(dir, 'solution/link'));
    const folder = await readTaskFolder(dir);
    const playing = taskSolution(folder, {});
    await expect(playing).rejects.toMatchObject({ code: 'ITEM_INVALID' });
    await expect(playing).rejects.toThrow('solution/link: is a link that leads out');
  });

  it('copies nothing through a linked folder of its environment', async () => {
    const dir = await temporaryFolder();
    const secret = await hostFile();
    await symlink(join(secret, '..'), join(dir, 'link'));
    const text = 'FROM x\nWORKDIR /app\nCOPY link/host-secret ./\n';
    expect(await parseDockerfile(text, dir)).toEqual({
      kind: 'other',
      reason: 'line 3: COPY through the link link',
    });
  });
});

it('a task.toml of thousands of unknown keys is refused at once', () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `k${index} = 1`).join('\n');
  expect(() => parseTaskToml(text)).toThrow('has 50000 keys that the format does not know');
});
