import { fileURLToPath } from 'node:url';
import type { Capabilities } from '@hermes/sandbox';
import { describe, expect, it } from 'vitest';
import { readTaskFolder } from '../src/index.ts';
import { sandboxNeeds } from '../src/sandbox-needs.ts';
import { makeTask } from './_make-task.ts';

const BUBBLEWRAP: Capabilities = {
  shell: true,
  persistentFs: true,
  absolutePaths: true,
  sessions: true,
  tty: true,
  stdin: true,
  streaming: true,
  binary: true,
  users: false,
  root: false,
  networkNone: true,
  networkAllowlist: false,
  ports: false,
  snapshot: false,
  reattach: true,
  gpu: false,
  killTree: 'pidns',
  isolation: 'process',
  resourceLimits: { cpu: false, memory: false, pids: false, disk: false },
  usage: { cpu: false, memory: false, oom: false },
  maxArgBytes: 131_071,
  maxUploadBytes: null,
  timeoutGranularityMs: 1,
};
const HOST: Capabilities = { ...BUBBLEWRAP, absolutePaths: false, isolation: 'none' };
const DOCKER: Capabilities = { ...BUBBLEWRAP, images: true, users: true, root: true };

async function fixture(name: string) {
  return readTaskFolder(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)));
}

describe('what a task asks of its sandbox', () => {
  const files = {
    'environment/Dockerfile': 'FROM a\nWORKDIR /srv\nENV A=1 B=2\n',
    'task.toml': '[environment]\nmemory_mb = 64\ncpus = 2',
  };

  it('is the image to build where images are run', async () => {
    const folder = await readTaskFolder(await makeTask(files));
    const needs = sandboxNeeds(folder, DOCKER, { B: '3' });
    expect(needs.image).toMatchObject({ kind: 'build', contextDir: `${folder.dir}/environment` });
    expect(needs.env).toEqual({ B: '3' });
    expect(needs).not.toHaveProperty('workdir');
    expect(needs).not.toHaveProperty('marks');
  });

  it('is no image but its folder and variables, and a mark, where there are none', async () => {
    const needs = sandboxNeeds(await readTaskFolder(await makeTask(files)), BUBBLEWRAP, { B: '3' });
    expect(needs).toMatchObject({
      workdir: '/srv',
      env: { A: '1', B: '3' },
      marks: ['image_not_used'],
      network: { mode: 'open' },
    });
    expect(needs.resources).toEqual({
      pids: 1024,
      cpus: 2,
      memoryBytes: 64 * 1024 ** 2,
      enforce: 'best_effort',
    });
    expect(needs).not.toHaveProperty('image');
  });

  it('leaves the folder to a sandbox without absolute places', async () => {
    const needs = sandboxNeeds(await readTaskFolder(await makeTask(files)), HOST, {});
    expect(needs).not.toHaveProperty('workdir');
  });

  it('names the programs that must be there', async () => {
    expect(sandboxNeeds(await fixture('needs-missing-command'), HOST, {}).commands).toEqual([
      'bash',
      'hermes-no-such-tool',
    ]);
  });

  it.each([
    ['image-only', 'only the image example.org/image-only:1'],
    ['builds-an-image', 'a Dockerfile that cannot be applied without an image (line 4: RUN)'],
  ])(
    'is refused for %s without images, with the sandboxes that would do',
    async (name, message) => {
      const folder = await fixture(name);
      for (const capabilities of [BUBBLEWRAP, HOST]) {
        const ask = () => sandboxNeeds(folder, capabilities, {});
        expect(ask).toThrow(expect.objectContaining({ boundary: 'sandbox', code: 'UNSUPPORTED' }));
        expect(ask).toThrow(message);
        expect(ask).toThrow('a provider whose capabilities include images');
      }
      expect(sandboxNeeds(folder, DOCKER, {}).image).toBeDefined();
    },
  );

  it('is refused with the one line that is missing where a WORKDIR would do', async () => {
    const dockerfile = 'FROM ubuntu\nCOPY numbers.txt ./\n';
    const dir = await makeTask({
      ...files,
      'environment/Dockerfile': dockerfile,
      'environment/numbers.txt': '1',
    });
    const folder = await readTaskFolder(dir);
    expect(() => sandboxNeeds(folder, HOST, {})).toThrow(
      'line 2: a relative path before any WORKDIR: add WORKDIR /app before line 2',
    );
  });

  it('is refused where absolute places are missing, with the sandboxes that would do', async () => {
    const folder = await fixture('absolute-paths');
    const ask = () => sandboxNeeds(folder, HOST, {});
    expect(ask).toThrow(
      expect.objectContaining({ boundary: 'environment', code: 'PATH_UNAVAILABLE' }),
    );
    expect(ask).toThrow('--sandbox bubblewrap');
    expect(sandboxNeeds(folder, BUBBLEWRAP, {}).capabilities).toMatchObject({
      absolutePaths: true,
    });
  });

  it('is refused everywhere for what is not built yet', async () => {
    const folder = await readTaskFolder(
      await makeTask({ 'task.toml': '[verifier.environment]\ndocker_image = "x"' }),
    );
    expect(() => sandboxNeeds(folder, DOCKER, {})).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED' }),
    );
  });
});
