import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createEffects } from '@hermes/env-core';
import { describe, expect, it } from 'vitest';
import { defineTaskFolders, readTaskFolder, smoke, taskFolders } from '../src/index.ts';
import { makeTask, temporaryFolder } from './_make-task.ts';

const context = { effects: createEffects(), signal: new AbortController().signal, judge: null };

describe('the definitions', () => {
  it.each([
    ['/nowhere/at/all', 'there is no such folder'],
    [new URL(import.meta.url).pathname, 'is no folder'],
  ])('refuse the path %s', async (path, message) => {
    await expect(taskFolders.open({ path }, context)).rejects.toMatchObject({
      boundary: 'config',
      code: 'CONFIG',
    });
    await expect(taskFolders.open({ path }, context)).rejects.toThrow(message);
  });

  it('refuse a folder without tasks', async () => {
    await expect(taskFolders.open({ path: await temporaryFolder() }, context)).rejects.toThrow(
      'no task folder there',
    );
  });

  it('refuse a single folder that is broken with its own message', async () => {
    const path = await makeTask({ 'tests/test.sh': null });
    await expect(taskFolders.open({ path }, context)).rejects.toThrow(
      `${path}/tests/test.sh: is missing`,
    );
  });

  it.each([
    [{ path: 'x', speed: 3 }, ['speed']],
    [{ path: '' }, ['path']],
    [{}, ['path']],
    [{ path: 'x', timeoutMultiplier: 0 }, ['timeoutMultiplier']],
  ])('check the configuration %j strictly', async (config, named) => {
    const result = await taskFolders.config['~standard'].validate(config);
    expect(JSON.stringify(result.issues)).toContain(named[0]);
  });

  it('give items with tags, the instruction as it is, and the limits of the task', async () => {
    const dir = await makeTask({
      'task.toml':
        '[metadata]\ncategory = "x"\n[agent]\ntimeout_sec = 10\n[verifier]\ntimeout_sec = 20\n[environment]\nbuild_timeout_sec = 900',
    });
    const definition = defineTaskFolders('mine', '1.0.0', async function* () {
      yield await readTaskFolder(dir);
    });
    const environment = await definition.open({ timeoutMultiplier: 3 }, context);
    const items = [];
    const query = { split: 'eval', start: 0, random: context.effects.random } as const;
    for await (const item of environment.items(query)) items.push(item);
    const [item] = items;
    if (item === undefined) throw new Error('no item');
    expect(item.tags).toEqual({ category: 'x' });
    expect(await environment.prompt(item)).toEqual([
      { role: 'user', content: 'Write hello into out.txt.\n' },
    ]);
    expect(environment.limits?.(item)).toEqual({
      agent: { deadlineMs: 30_000 },
      startMs: 2_820_000,
      verifyMs: 180_000,
    });
    expect(environment.marks).toEqual(['timeout_override']);
  });

  it('have a data revision that changes with any task', async () => {
    const revision = async (files: Record<string, string>) =>
      (await taskFolders.open({ path: await makeTask(files) }, context)).datasetRevision;
    expect(await revision({})).toMatch(/^sha256:/);
    expect((await smoke.open({}, context)).datasetRevision).toBe(
      (await smoke.open({}, context)).datasetRevision,
    );
    expect((await smoke.open({}, context)).datasetRevision).not.toBe(await revision({}));
  });

  it('have a data revision that does not depend on where the tasks lie, also where one cannot be read', async () => {
    const revisionAt = async (path: string) =>
      (await taskFolders.open({ path }, context)).datasetRevision;
    const root = await temporaryFolder();
    await cp(await makeTask({}), join(root, 'a/good'), { recursive: true });
    await cp(await makeTask({ 'tests/test.sh': null }), join(root, 'a/bad'), { recursive: true });
    await cp(await makeTask({ 'instruction.md': null }), join(root, 'a/odd'), { recursive: true });
    await symlink('instruction.md', join(root, 'a/odd/instruction.md')); // a circle
    await cp(join(root, 'a'), join(root, 'b'), { recursive: true });
    expect(await revisionAt(join(root, 'b'))).toBe(await revisionAt(join(root, 'a')));
  });
});
