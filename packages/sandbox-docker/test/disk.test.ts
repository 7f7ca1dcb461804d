import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DockerSandboxSettings } from '../src/index.ts';
import { BUSYBOX, codeOf, create, exists, openProvider } from './_docker.ts';
import { hasPrivateDaemon, startPrivateDaemon } from './_private-daemon.ts';

const MIB = 2 ** 20;

async function open(settings: DockerSandboxSettings) {
  const provider = await openProvider({ image: BUSYBOX, ...settings });
  onTestFinished(() => provider.close());
  return provider;
}

/** Fills a file, then says nothing any more. */
const filling = (bytes: number) =>
  ({
    command: { script: `head -c ${bytes} /dev/zero > /fill; sleep 1000`, shell: 'sh' },
    timeoutMs: 900_000,
  }) as const;

describe.runIf(isExpected('docker'))('the disk of the daemon', { timeout: 60_000 }, () => {
  it('is not filled by one sandbox: it is evicted with the reason when its files take more than it may', async () => {
    const provider = await open({ maxDiskBytes: 8 * MIB });
    await using modest = await create(provider);
    const sandbox = await create(provider);
    await expect(sandbox.exec(filling(32 * MIB))).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringMatching(/evicted.*its files take 32 MiB of the 8 MiB it may/),
    });
    expect((await sandbox.dispose()).exitReason).toBe('evicted');
    expect(await exists(sandbox.ref.id)).toBe(false);
    expect(await modest.health()).toBe('ok');
  });

  it('is watched for the limit that one sandbox asks for, where there are no quotas', async () => {
    const provider = await open({});
    await using boundless = await create(provider);
    const resources = { diskBytes: 8 * MIB, enforce: 'best_effort' } as const;
    const sandbox = await create(provider, { resources });
    expect(sandbox.info.unmetLimits).toEqual(['diskBytes']);
    expect((await boundless.files.write('/fill', new Uint8Array(16 * MIB))).ok).toBe(true);
    await expect(sandbox.exec(filling(32 * MIB))).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringMatching(/evicted.*its files take 32 MiB of the 8 MiB it may/),
    });
    expect(await boundless.health()).toBe('ok');
  });

  it('has room for a new sandbox, or none is made, in one sentence with the way out', async () => {
    const provider = await open({ minFreeBytes: 2 ** 60 });
    const refused = create(provider);
    await expect(refused).rejects.toMatchObject({ code: 'CAPACITY', retryable: true });
    await expect(refused).rejects.toThrow(/MiB left, and \d+ MiB are wanted.*docker system df/);
    const { problems } = await provider.preflight();
    expect(problems.map(({ code }) => code)).toEqual(['DOCKER_DISK']);
  });

  it('has no quotas here, which a setting that counts on them is told before anything exists', async () => {
    const provider = await open({ diskQuota: true });
    const { problems } = await provider.preflight();
    expect(problems.map(({ code }) => code)).toEqual(['DOCKER_QUOTA']);
    expect(await codeOf(create(provider, { resources: { diskBytes: MIB } }))).toBe('UNSUPPORTED');
  });
});

describe.runIf(hasPrivateDaemon)('a disk that is full', { timeout: 60_000 }, () => {
  it('costs the sandbox that filled it, with the reason, and the next one has room', async () => {
    const daemon = await startPrivateDaemon(128);
    const provider = await open({ host: daemon.host, minFreeBytes: 32 * MIB });
    const sandbox = await create(provider);
    await expect(sandbox.exec(filling(512 * MIB))).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringMatching(/evicted.*has \d+ MiB left.*it took the most/),
    });
    expect((await sandbox.dispose()).exitReason).toBe('evicted');
    await using fresh = await create(provider);
    expect((await fresh.files.write('/fill', new Uint8Array(16 * MIB))).ok).toBe(true);
  });
});
