import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectEngine, inspectImage } from '../src/engine.ts';
import { parseDockerSettings } from '../src/settings.ts';
import { startCable } from './_cable.ts';
import { BUSYBOX, codeOf, create, docker, exists, openProvider } from './_docker.ts';
import { hasPrivateDaemon, startPrivateDaemon } from './_private-daemon.ts';

/** Far longer than a test may take. */
const silent = { command: { argv: ['sleep', '1000'] }, timeoutMs: 900_000 } as const;

async function openHere(host: string) {
  const provider = await openProvider({ host, image: BUSYBOX, minFreeBytes: 0 });
  onTestFinished(() => provider.close());
  return provider;
}

describe.runIf(isExpected('docker'))('a daemon that', { timeout: 60_000 }, () => {
  it('is behind a cable that was cut: its sandboxes are given up within seconds, under a silent command', async () => {
    const cable = await startCable();
    const provider = await openHere(cable.host);
    const sandbox = await create(provider);
    const ended = expect(sandbox.exec(silent)).rejects.toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringMatching(/the daemon does not answer/),
    });
    cable.stall();
    await ended;
    cable.restore();
    expect((await sandbox.dispose()).exitReason).toBe('provider_error');
    expect(await exists(sandbox.ref.id)).toBe(false);
    await using fresh = await create(provider);
    expect(await fresh.health()).toBe('ok');
  });

  it('does not get a container removed is not waited for: the end says so, and the reaper brings it about', async () => {
    const cable = await startCable();
    const provider = await openHere(cable.host);
    const sandbox = await create(provider);
    cable.swallow(/^DELETE /);
    const { exitReason, gaps } = await sandbox.dispose();
    expect(exitReason).toBe('destroyed');
    expect(gaps.map(({ code }) => code)).toContain('destroy_failed');
    cable.restore();
    await provider.destroy(sandbox.ref);
    expect(await exists(sandbox.ref.id)).toBe(false);
  });

  it('answers no question is not waited for: an image and a snapshot are given up with their signals', async () => {
    const cable = await startCable();
    const provider = await openHere(cable.host);
    await using sandbox = await create(provider);
    cable.swallow(/^(GET \/images\/|POST \/commit)/);
    const soon = () => AbortSignal.timeout(300);
    const taken = sandbox.snapshot?.('never', soon()) ?? Promise.resolve();
    const message = expect.stringContaining('the daemon did not answer in time');
    await expect(taken).rejects.toMatchObject({ code: 'TRANSPORT', message });
    const engine = connectEngine(parseDockerSettings({ host: cable.host }));
    await expect(inspectImage(engine, BUSYBOX, soon())).rejects.toThrow(/abort/i);
    cable.restore();
  });

  it('never starts a container: creation ends when its caller gives up, and nothing is left', async () => {
    const cable = await startCable();
    const provider = await openHere(cable.host);
    cable.swallow(/^POST \/containers\/\w+\/start/);
    const signal = AbortSignal.timeout(3000);
    const spec = {
      lifetimeMs: 60_000,
      labels: { 'hermes.run': 'never' },
      idempotencyKey: cable.host,
    };
    expect(await codeOf(provider.create(spec, { signal }))).toBe('CANCELLED');
    const filters = { label: ['hermes.run=never'] };
    const left = () => docker.listContainers({ all: true, filters });
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 30_000 });
  });
});

describe.runIf(hasPrivateDaemon)('a daemon that ends', { timeout: 60_000 }, () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'by %s takes its sandboxes along within seconds, under a silent command',
    async (signal) => {
      const daemon = await startPrivateDaemon(256);
      const provider = await openHere(daemon.host);
      const sandbox = await create(provider);
      const ended = codeOf(sandbox.exec(silent));
      await daemon.end(signal);
      expect(await ended).toBe('SANDBOX_GONE');
      expect(['crashed', 'provider_error']).toContain((await sandbox.dispose()).exitReason);
      expect(await codeOf(create(provider))).toBe('TRANSPORT');
    },
  );
});
