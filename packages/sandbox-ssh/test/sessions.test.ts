import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { openProvider, openSandbox, run, sandboxSpec } from './_provider.ts';
import { startServer } from './_sshd.ts';

describe.runIf(isExpected('sshd'))('sessions', { timeout: 60_000 }, () => {
  it('beyond what a server gives on one connection go over more connections', async () => {
    const server = await startServer(['MaxSessions 2']);
    const provider = await openProvider(server);
    const sandboxes = await Promise.all(Array.from({ length: 9 }, () => openSandbox(provider)));
    const said = await Promise.all(
      sandboxes.map((sandbox, index) => run(sandbox, `echo ${index}`)),
    );
    expect(said).toEqual(sandboxes.map((_, index) => `${index}\n`));
  });

  it('come up at a server that drops log-ins when there are too many at once', async () => {
    const server = await startServer(['MaxStartups 1', 'MaxSessions 1']);
    const provider = await openProvider(server);
    const sandboxes = await Promise.all(Array.from({ length: 6 }, () => openSandbox(provider)));
    expect(new Set(sandboxes.map(({ ref }) => ref.id)).size).toBe(6);
  });

  it('wait for room when all connections are full, until the wait is cancelled or a sandbox ends', async () => {
    const server = await startServer(['MaxSessions 2']);
    const provider = await openProvider({ ...server, connections: 1 });
    const first = await openSandbox(provider);
    await openSandbox(provider);
    const abort = new AbortController();
    const cancelled = provider.create(sandboxSpec(), { signal: abort.signal });
    setTimeout(() => abort.abort(), 500);
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    const waiting = openSandbox(provider);
    await first.dispose();
    expect(await run(await waiting, 'echo in')).toBe('in\n');
  });

  it('that a server never gives are refused with the reason', async () => {
    const server = await startServer(['MaxSessions 0']);
    const { problems } = await (await openProvider(server)).preflight();
    expect(problems[0]?.message).toContain('MaxSessions');
  });

  it('share a connection: the end of one sandbox is not felt by another', async () => {
    const provider = await openProvider({ connections: 1 });
    const first = await openSandbox(provider);
    const second = await openSandbox(provider);
    const running = run(second, 'sleep 1; echo done');
    await first.dispose();
    expect(await running).toBe('done\n');
  });
});
