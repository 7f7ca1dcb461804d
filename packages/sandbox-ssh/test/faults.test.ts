import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  openProvider,
  openSandbox,
  remoteFolder,
  run,
  sandboxSpec,
  temporaryFolder,
} from './_provider.ts';
import { killServer } from './_server-processes.ts';
import { portOf, startServer, startServerProcess } from './_sshd.ts';

const MEBIBYTE = 1024 * 1024;

describe.runIf(isExpected('sshd'))('a server that dies', { timeout: 60_000 }, () => {
  it('is noticed at once under a silent command, which ends with the reason, and disposing is bounded and says what is left', async () => {
    const rootDir = await remoteFolder();
    const { settings, pid } = await startServerProcess();
    const provider = await openProvider({ ...settings, rootDir, reconnectMs: 500 });
    const sandbox = await provider.create(sandboxSpec());
    const command = sandbox
      .exec({ command: { script: 'sleep 600' }, timeoutMs: 600_000 })
      .catch((error: unknown) => error);
    await run(sandbox, 'true');
    await killServer(pid);
    expect(await command).toMatchObject({
      code: 'SANDBOX_GONE',
      message: expect.stringMatching(/gone \(lost\): the connection ended/),
    });
    const outcome = await sandbox.dispose();
    expect(outcome.exitReason).toBe('lost');
    expect(outcome.gaps).toContainEqual({
      code: 'destroy_failed',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    // Over another server of the same host nothing of it stays.
    await (await openProvider({ rootDir })).destroy(sandbox.ref);
    expect(await readdir(rootDir)).toEqual(['bin']);
  });

  it('and comes back is no more than a pause', async () => {
    const { settings, pid } = await startServerProcess();
    const sandbox = await openSandbox(await openProvider({ ...settings, reconnectMs: 20_000 }));
    const command = run(sandbox, 'sleep 3; echo done');
    await run(sandbox, 'true');
    await killServer(pid);
    await startServerProcess([], [], settings);
    expect(await command).toBe('done\n');
  });
});

describe.runIf(isExpected('sshd'))('a host that hangs', { timeout: 60_000 }, () => {
  it('before its first word is given up in time, with the reason', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const provider = await openProvider({ port: portOf(server), connectTimeoutMs: 500 });
    const { problems } = await provider.preflight();
    expect(problems[0]?.code).toBe('SSH_TRANSPORT');
    expect(problems[0]?.message).toMatch(/connect to \S+: .*[Tt]imed out/);
  });

  it('in the shell of the account is given up in time, with the reason', async () => {
    const server = await startServer(['ForceCommand sleep 1000']);
    const provider = await openProvider({ ...server, connectTimeoutMs: 2000 });
    const creation = provider.create(sandboxSpec());
    await expect(creation).rejects.toMatchObject({
      code: 'TRANSPORT',
      message: expect.stringContaining("the account's shell was not there within 2000 ms"),
    });
  });
});

describe.runIf(isExpected('sshd'))('a host that is slow', { timeout: 60_000 }, () => {
  it('leaves nothing of a sandbox whose creation was cancelled in the middle', async () => {
    const programs = await temporaryFolder();
    const [started, passed] = [join(programs, 'started'), join(programs, 'passed')];
    const slow = `#!/bin/sh\n: > ${started}; sleep 1; : > ${passed}; exec /bin/df "$@"\n`;
    await writeFile(join(programs, 'df'), slow, { mode: 0o755 });
    await chmod(programs, 0o777);
    const server = await startServer([`SetEnv PATH=${programs}:/usr/bin:/bin`]);
    const rootDir = await remoteFolder();
    const provider = await openProvider({ ...server, rootDir });
    const abort = new AbortController();
    const creation = provider.create(sandboxSpec(), { signal: abort.signal });
    await until(() => existsSync(started));
    abort.abort();
    await expect(creation).rejects.toMatchObject({ code: 'CANCELLED' });
    await until(() => existsSync(passed));
    // The host was at work on the other one before this one.
    await (await provider.create(sandboxSpec())).dispose();
    await until(() => readdirSync(rootDir).length === 1);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

describe.runIf(isExpected('sshd'))('a full disk of the host', { timeout: 60_000 }, () => {
  it('refuses the supervisor in preflight, with what to do', async () => {
    const provider = await openProvider({ rootDir: await smallDisk(1) });
    const { problems } = await provider.preflight();
    expect(problems[0]).toMatchObject({
      code: 'SSH_CAPACITY',
      message: expect.stringMatching(/No space left.*make room/),
    });
  });

  it('gets no new sandboxes before it is quite full, as preflight says, and nothing is left of the attempt', async () => {
    const rootDir = await smallDisk(32);
    const provider = await openProvider({ rootDir });
    await expect(provider.create(sandboxSpec())).rejects.toMatchObject({
      code: 'CAPACITY',
      retryable: true,
      message: expect.stringMatching(/only \d+ KiB are free.*make room/),
    });
    const { ok, problems } = await provider.preflight();
    expect([ok, problems[0]?.code]).toEqual([false, 'SSH_CAPACITY']);
    expect(await readdir(rootDir)).toEqual(['bin']);
  });

  it('is NO_SPACE for a file and an error of its own for a command, and the sandbox goes on', async () => {
    const sandbox = await openSandbox(await openProvider({ rootDir: await smallDisk(80) }));
    const big = new Uint8Array(100 * MEBIBYTE);
    expect(await sandbox.files.write('big', big)).toMatchObject({ ok: false, code: 'NO_SPACE' });
    expect(await run(sandbox, 'cat /dev/zero > filler')).toMatch(/No space left on device/);
    expect(await run(sandbox, 'rm filler; ls; echo on')).toBe('on\n');
  });
});

describe.runIf(isExpected('sshd'))(
  'many sandboxes one after the other',
  { timeout: 120_000 },
  () => {
    it('leave no file and no process on the host', async () => {
      const rootDir = await remoteFolder();
      const provider = await openProvider({ rootDir, connections: 2 });
      for (let round = 0; round < 6; round += 1) {
        const sandboxes = await Promise.all([1, 2, 3].map(() => provider.create(sandboxSpec())));
        const script =
          'echo x > file; setsid sleep 1000 > /dev/null 2>&1 & mkdir closed; chmod 0 closed';
        await Promise.all(sandboxes.map((sandbox) => run(sandbox, script)));
        const outcomes = await Promise.all(sandboxes.map((sandbox) => sandbox.dispose()));
        expect(outcomes.flatMap(({ gaps }) => gaps)).toEqual([]);
      }
      expect(await readdir(rootDir)).toEqual(['bin']);
      const search = `grep -lF '${rootDir}' /proc/[0-9]*/environ 2>/dev/null || true`;
      const marks = execFileSync('sh', ['-c', search]);
      expect(String(marks)).toBe('');
    });
  },
);

/** A folder on a disk of so many MiB, for the tests' account; gone after the test. */
async function smallDisk(mebibytes: number): Promise<string> {
  const folder = await temporaryFolder();
  const size = `size=${mebibytes}m,mode=755`;
  execFileSync('sh', ['-c', 'mount -t tmpfs -o "$1" hermes-test "$2"', 'sh', size, folder]);
  onTestFinished(() => void execFileSync('sh', ['-c', 'umount -l "$1"', 'sh', folder]));
  execFileSync('chown', ['hermes-ssh', folder]);
  return `${folder}/root`;
}
