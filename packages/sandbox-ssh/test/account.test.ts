import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandboxProvider } from '../src/index.ts';
import { context, openProvider, openSandbox, remoteFolder, run, sandboxSpec } from './_provider.ts';
import { serverSettings } from './_server.ts';
import { startServer } from './_sshd.ts';

describe.runIf(isExpected('sshd'))('an account', { timeout: 60_000 }, () => {
  it('whose shell greets on every login is no trouble, with either supervisor', async () => {
    for (const supervisor of ['go', 'sh'] as const) {
      const provider = await openProvider({ user: 'hermes-ssh-noisy', supervisor });
      const sandbox = await openSandbox(provider);
      expect(await run(sandbox, 'id -un')).toBe('hermes-ssh-noisy\n');
    }
  });

  it('that is root runs commands and keeps files as others', async () => {
    const sandbox = await openSandbox(await openProvider({ user: 'root' }), { user: 'hermes-ssh' });
    expect(sandbox.info.user).toBe('hermes-ssh');
    expect(await run(sandbox, 'id -un; touch own; stat -c %U own')).toBe(
      'hermes-ssh\nhermes-ssh\n',
    );
    expect(await sandbox.files.write('given', 'x')).toMatchObject({ ok: true });
    expect(await run(sandbox, 'stat -c %U given')).toBe('hermes-ssh\n');
    expect(await run(sandbox, 'id -un', { user: 'root' })).toBe('root\n');
    expect(await run(sandbox, 'id -un', { user: 'hermes-ssh-noisy' })).toBe('hermes-ssh-noisy\n');
  });

  it('that is root refuses a user that the host does not have, and leaves nothing', async () => {
    const rootDir = await remoteFolder('root');
    const provider = await openProvider({ user: 'root', rootDir });
    const creation = provider.create(sandboxSpec({ user: 'nobody-by-this-name' }));
    await expect(creation).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('nobody-by-this-name'),
    });
    expect(await readdir(rootDir)).toEqual(['bin']);
  });

  it('that is not root acts as nobody else', async () => {
    const provider = await openProvider();
    await expect(provider.create(sandboxSpec({ user: 'hermes-ssh-noisy' }))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    const sandbox = await openSandbox(provider);
    const exec = sandbox.exec({ command: { argv: ['id'] }, timeoutMs: 5000, user: 'root' });
    await expect(exec).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('keeps its sandboxes from other accounts', async () => {
    const own = await openSandbox(await openProvider());
    const other = await openSandbox(await openProvider({ user: 'hermes-ssh-noisy' }));
    expect(await run(other, `ls ${own.info.workdir} 2>&1; echo $?`)).toMatch(
      /Permission denied\n2\n$/,
    );
  });

  it('tells nobody a secret or a channel token by its processes', async () => {
    const secret = randomUUID();
    const sandbox = await openSandbox(await openProvider(), { secrets: { TOKEN: secret } });
    const script = 'test -n "$TOKEN" && cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "';
    const commands = await run(sandbox, script, { secrets: ['TOKEN'] });
    expect(commands).toContain('serve --state');
    expect(commands).not.toContain(secret);
    expect(commands).not.toContain(sandbox.ref.labels['hermes.channel']);
  });

  it('keeps no secret on its disk, and none is in a log, an error or an outcome', async () => {
    const secret = randomUUID();
    const rootDir = await remoteFolder();
    const said: string[] = [];
    const logger = { log: (...words: unknown[]) => void said.push(JSON.stringify(words)) };
    const provider = await createSandboxProvider(
      { ...serverSettings(), rootDir },
      { ...context, effects: { logger } },
    );
    onTestFinished(() => provider.close());
    const sandbox = await openSandbox(provider, { secrets: { TOKEN: secret } });
    const command = { script: 'test -n "$TOKEN" || exit 1; exec nothing-by-this-name' };
    const result = await sandbox.exec({ command, timeoutMs: 5000, secrets: ['TOKEN'] });
    expect(result).toMatchObject({ status: 'exited', exitCode: 127 });
    said.push(JSON.stringify(result), result.stderr.text());
    const late = sandbox.exec({
      command: { script: 'sleep 60' },
      timeoutMs: 60_000,
      secrets: ['TOKEN'],
    });
    const failed = late.catch((error: unknown) => error);
    const found = execFileSync('sh', ['-c', `grep -rlF ${secret} ${rootDir} || true`]);
    said.push(String(found), JSON.stringify(await sandbox.dispose()), String(await failed));
    expect(String(found)).toBe('');
    expect(said.join('\n')).not.toContain(secret);
  });

  it('whose folder others may write to is refused', async () => {
    const provider = await openProvider({ rootDir: '/tmp' });
    const { problems } = await provider.preflight();
    expect(problems[0]?.message).toMatch(/others may write to \/tmp; set rootDir/);
  });

  it('whose server forwards no ports is told so, and the sandbox is none the worse', async () => {
    const server = await startServer(['AllowTcpForwarding no']);
    const sandbox = await openSandbox(await openProvider(server), { ports: [8123] });
    await expect(sandbox.ports?.expose(8123)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('AllowTcpForwarding'),
    });
    expect(await run(sandbox, 'echo on')).toBe('on\n');
  });
});
