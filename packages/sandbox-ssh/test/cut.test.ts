import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import type { SshSandboxSettings } from '../src/index.ts';
import { type Cable, startCable } from './_cable.ts';
import { openProvider, openSandbox, remoteFolder, run, temporaryFolder } from './_provider.ts';
import { serverFolder, serverSettings } from './_server.ts';
import { knownHostLine } from './_sshd.ts';

/** The tests' server behind a cable that can be cut. */
async function openBehindCable(
  settings: SshSandboxSettings,
): Promise<{ sandbox: Sandbox; cable: Cable }> {
  const cable = await startCable(serverSettings().port ?? 0);
  const knownHosts = join(await temporaryFolder(), 'known_hosts');
  await writeFile(knownHosts, knownHostLine(cable.port, join(serverFolder, 'host_ed25519.pub')));
  const provider = await openProvider({ port: cable.port, knownHosts, ...settings });
  const sandbox = await openSandbox(provider);
  return { sandbox, cable };
}

const silent = (sandbox: Sandbox) =>
  sandbox
    .exec({ command: { script: 'sleep 600' }, timeoutMs: 600_000 })
    .catch((error: unknown) => error);

describe.runIf(isExpected('sshd'))('a connection', { timeout: 60_000 }, () => {
  it.each(['cut', 'stall'] as const)(
    'that is lost for good (%s) ends a silent command as SANDBOX_GONE, and the sandbox as lost',
    async (way) => {
      const { sandbox, cable } = await openBehindCable({ keepaliveMs: 200, reconnectMs: 1000 });
      const command = silent(sandbox);
      await run(sandbox, 'true');
      cable[way]();
      await once(sandbox.gone, 'abort');
      expect(await command).toMatchObject({
        code: 'SANDBOX_GONE',
        message: expect.stringContaining('lost'),
      });
      cable.restore();
      expect((await sandbox.dispose()).exitReason).toBe('lost');
    },
  );

  it('that comes back in time goes on with the command and all its output', async () => {
    const { sandbox, cable } = await openBehindCable({ keepaliveMs: 1000, reconnectMs: 30_000 });
    const script =
      'i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i + 1)); sleep 0.05; done; exit 3';
    const seen: string[] = [];
    const command = sandbox.exec({
      command: { script },
      timeoutMs: 60_000,
      onData: (chunk) => {
        if (seen.push(Buffer.from(chunk).toString()) === 3) {
          cable.cut();
          cable.restore();
        }
      },
    });
    const result = await command;
    expect(result).toMatchObject({ status: 'exited', exitCode: 3 });
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    expect(result.stdout.text()).toBe(lines.join(''));
    expect(seen.join('')).toBe(lines.join(''));
  });

  it('that is silent while a sandbox is disposed of holds nobody up, and the sandbox is removed later', async () => {
    const rootDir = await remoteFolder();
    const times = { keepaliveMs: 200, reconnectMs: 1000, connectTimeoutMs: 1000 };
    const { sandbox, cable } = await openBehindCable({ ...times, rootDir });
    expect(await run(sandbox, 'echo done')).toBe('done\n');
    cable.stall();
    const { gaps } = await sandbox.dispose();
    expect(gaps).toContainEqual({ code: 'destroy_failed', detail: expect.any(String) });
    await (await openProvider({ rootDir })).destroy(sandbox.ref);
    expect(await readdir(rootDir)).toEqual(['bin']);
  });

  it('that is busy with data counts as alive, however long a reply waits behind it', async () => {
    const { sandbox } = await openBehindCable({ keepaliveMs: 100 });
    const script = 'head -c 50000000 /dev/zero';
    const result = await sandbox.exec({
      command: { script },
      timeoutMs: 60_000,
      onData: () => undefined,
    });
    expect(result.stdout.totalBytes).toBe(50_000_000);
  });
});
