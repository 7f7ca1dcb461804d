import type { SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, create, docker, openProvider, output } from './_docker.ts';

describe.runIf(isExpected('docker'))('what a container may do', { timeout: 60_000 }, () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider();
  });
  afterAll(() => provider.close());

  it('is no more than the settings say: capabilities, new rights, processes, network', async () => {
    await using sandbox = await create(provider);
    const status = await output(sandbox, 'cat /proc/self/status');
    expect(status).toMatch(/NoNewPrivs:\s*1/);
    // Raw sockets, device nodes, mounts and tracing are bits 13, 27, 21 and 19.
    const effective = BigInt(`0x${/CapEff:\s*(\w+)/.exec(status)?.[1] ?? '0'}`);
    for (const bit of [13n, 19n, 21n, 27n]) expect((effective >> bit) & 1n).toBe(0n);
    const { HostConfig } = await docker.getContainer(sandbox.ref.id).inspect();
    expect([HostConfig.PidsLimit, HostConfig.NetworkMode]).toEqual([4096, 'none']);
  });

  it('can be widened and narrowed by the settings', async () => {
    const other = await openProvider({
      capAdd: ['NET_RAW', 'SETUID', 'SETGID'],
      noNewPrivileges: false,
    });
    await using sandbox = await create(other);
    const status = await output(sandbox, 'cat /proc/self/status');
    expect(status).toMatch(/NoNewPrivs:\s*0/);
    expect(status).toMatch(/CapEff:\s*0*20c0\n/);
    await sandbox.dispose();
    await other.close();
  });

  it('cannot be limited in its disk, nor get a graphics processor, unless the settings say that the daemon can: refused before anything exists', async () => {
    expect(await codeOf(create(provider, { resources: { diskBytes: 1 } }))).toBe('UNSUPPORTED');
    expect(await codeOf(create(provider, { resources: { gpus: 'all' } }))).toBe('UNSUPPORTED');
  });

  it.each([{ memoryBytes: 2 ** 20 }, { cpus: 100_000 }])(
    'cannot have limits that the daemon does not take, and the way out is told: %o',
    async (resources) => {
      const refused = create(provider, { resources });
      expect(await codeOf(refused)).toBe('UNSUPPORTED');
      await expect(refused).rejects.toThrow(/^create container .*; ask for another limit/);
    },
  );

  it('cannot be more than the daemon has: a graphics processor that is only in the settings is refused', async () => {
    const other = await openProvider({ gpus: true });
    const { problems } = await other.preflight();
    expect(problems.map(({ code }) => code)).toEqual(['DOCKER_RUNTIME']);
    const refused = create(other, { resources: { gpus: 'all' }, labels: { 'hermes.run': 'gpu' } });
    expect(await codeOf(refused)).toBe('UNSUPPORTED');
    const filters = { label: ['hermes.run=gpu'] };
    expect(await docker.listContainers({ all: true, filters })).toEqual([]);
    await other.close();
  });

  it('as another user than root: commands and files are that user’s', async () => {
    await using sandbox = await create(provider, { user: 'nobody', workdir: '/tmp' });
    expect(await output(sandbox, 'id -un')).toBe('nobody\n');
    await sandbox.files.write('mine', 'x');
    expect(await output(sandbox, 'stat -c %U /tmp/mine')).toBe('nobody\n');
    expect((await sandbox.files.write('/etc/not-mine', 'x')).ok).toBe(false);
    const asRoot = { command: { argv: ['id', '-un'] }, user: 'root', timeoutMs: 9000 } as const;
    expect((await sandbox.exec(asRoot)).stdout.text()).toBe('root\n');
  });

  it('never reaches its supervisor: not by any signal as root, nor by the files of its folder', async () => {
    await using sandbox = await create(provider);
    await output(sandbox, 'for s in $(seq 1 64); do kill -$s 1; done; echo x > /.hermes/complete');
    expect(await output(sandbox, 'echo on')).toBe('on\n');
    expect(await output(sandbox, 'wc -c < /.hermes/complete')).toBe('0\n');
  });
});
