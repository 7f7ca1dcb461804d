import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BUSYBOX, codeOf, create, docker, exists, openProvider } from './_docker.ts';

const maker = fileURLToPath(new URL('./_maker.ts', import.meta.url));

/** Another process makes a sandbox, says which, and is killed. */
async function orphan(lifetimeMs: number): Promise<string> {
  const argv = ['--conditions=@hermes/source', '--import', 'tsx', maker, String(lifetimeMs)];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [id] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.kill('SIGKILL');
  await once(child, 'close');
  return id;
}

async function anonymousVolumes(): Promise<string[]> {
  const { Volumes } = await docker.listVolumes();
  return Volumes.map(({ Name }) => Name).filter((name) => /^[0-9a-f]{64}$/.test(name));
}

/** The folder of a Dockerfile with a volume. */
async function declaringFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-volume-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'Dockerfile'), `FROM ${BUSYBOX}\nVOLUME /declared\n`);
  return folder;
}

const soon = { timeout: 30_000, interval: 100 };

describe.runIf(isExpected('docker'))('the end of a container', { timeout: 90_000 }, () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider();
  });
  afterAll(() => provider.close());

  it('is noticed at once when somebody kills it under a silent command', async () => {
    await using sandbox = await create(provider);
    const silent = sandbox.exec({ command: { argv: ['sleep', '1000'] }, timeoutMs: 900_000 });
    const ended = codeOf(silent);
    await docker.getContainer(sandbox.ref.id).kill();
    expect(await ended).toBe('SANDBOX_GONE');
    expect((await sandbox.dispose()).exitReason).toBe('crashed');
  });

  it.each(['disposed of', 'killed'])(
    'leaves neither container nor volume of one that is %s',
    async (how) => {
      const before = await anonymousVolumes();
      // One volume for the place of work in a root that cannot be written, and one that the image declares.
      const image = { kind: 'build', contextDir: await declaringFolder() } as const;
      const sandbox = await create(provider, { readonlyRoot: true, image });
      await sandbox.files.write('kept', 'x');
      await sandbox.files.write('/declared/kept', 'x');
      const during = await anonymousVolumes();
      expect(during.filter((name) => !before.includes(name))).toHaveLength(2);
      if (how === 'killed') await docker.getContainer(sandbox.ref.id).kill();
      await sandbox.dispose();
      expect(await exists(sandbox.ref.id)).toBe(false);
      const left = await anonymousVolumes();
      expect(left.filter((name) => during.includes(name) && !before.includes(name))).toEqual([]);
    },
  );

  it('comes at its lifetime by itself when its maker was killed', async () => {
    const id = await orphan(3000);
    await vi.waitFor(async () => expect(await exists(id)).toBe(false), soon);
  });

  it('is brought by the reaper when its maker was killed, and a living one’s is left alone', async () => {
    await using mine = await create(provider);
    const id = await orphan(600_000);
    expect(await exists(id)).toBe(true);
    const { removed, kept } = await provider.reap();
    expect(removed.map((ref) => ref.id)).toContain(id);
    expect(kept.map((ref) => ref.id)).toContain(mine.ref.id);
    expect([await exists(id), await exists(mine.ref.id)]).toEqual([false, true]);
  });

  // Who may say whom the kernel kills.
  it.runIf(process.getuid?.() === 0)(
    'of its first process for want of memory is told as such',
    async () => {
      await using sandbox = await create(provider, { resources: { memoryBytes: 64 * 2 ** 20 } });
      // The kernel takes who has most, and then it shall be the supervisor: many have a little each.
      const script =
        'until [ -e /tmp/go ]; do sleep 0.1; done; for i in $(seq 20); do tail /dev/zero & done; wait';
      const process = await sandbox.spawn({ command: { script }, timeoutMs: 60_000 });
      const { State } = await docker.getContainer(sandbox.ref.id).inspect();
      await writeFile(`/proc/${State.Pid}/oom_score_adj`, '1000');
      await sandbox.files.write('/tmp/go', '');
      expect(await codeOf(process.wait())).toBe('SANDBOX_GONE');
      expect((await sandbox.dispose()).exitReason).toBe('oom');
    },
  );
});
