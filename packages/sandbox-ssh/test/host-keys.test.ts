import { execFileSync } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import type { SshSandboxSettings } from '../src/index.ts';
import { openProvider, openSandbox, run, sandboxSpec, temporaryFolder } from './_provider.ts';
import { serverFolder, serverSettings } from './_server.ts';
import { knownHostLine, makeKey } from './_sshd.ts';

const port = () => serverSettings().port ?? 0;
const ownLine = () => knownHostLine(port(), join(serverFolder, 'host_ed25519.pub'));

async function knownHosts(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'known_hosts');
  await writeFile(path, text);
  return path;
}

async function otherKey(): Promise<string> {
  const path = join(await temporaryFolder(), 'other');
  makeKey(path);
  return knownHostLine(port(), `${path}.pub`);
}

async function refusal(settings: SshSandboxSettings): Promise<string> {
  const provider = await openProvider(settings);
  const { ok, problems } = await provider.preflight();
  const created = provider.create(sandboxSpec());
  await expect(created).rejects.toMatchObject({ code: 'AUTH', scope: 'provider' });
  expect([ok, problems.map(({ code }) => code)]).toEqual([false, ['SSH_AUTH']]);
  return problems[0]?.message ?? '';
}

describe.runIf(isExpected('sshd'))('the key of a host', { timeout: 60_000 }, () => {
  it('that no file knows is refused, and the user is told its fingerprint and how to add it', async () => {
    const path = await knownHosts('');
    const message = await refusal({ knownHosts: path });
    const public_ = join(serverFolder, 'host_ed25519.pub');
    const [, fingerprint = '?'] = String(execFileSync('ssh-keygen', ['-lf', public_])).split(' ');
    expect(message).toContain(fingerprint);
    expect(message).toContain(`ssh-keyscan -p ${port()} 127.0.0.1 >> ${path}`);
    expect(await readFile(path, 'utf8')).toBe('');
  });

  it('is written down at the first contact where that was asked for, and then known', async () => {
    const path = join(await temporaryFolder(), 'ssh', 'known_hosts');
    const first = await openProvider({ knownHosts: path, hostKeys: 'accept-new' });
    expect((await first.preflight()).problems).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(ownLine());
    const second = await openProvider({ knownHosts: path, hostKeys: 'known' });
    expect((await second.preflight()).problems).toEqual([]);
  });

  it.each(['known', 'accept-new'] as const)(
    'that has changed is refused under %s, and no file changes',
    async (hostKeys) => {
      const line = await otherKey();
      const path = await knownHosts(line);
      expect(await refusal({ knownHosts: path, hostKeys })).toMatch(/another one than/);
      expect(await readFile(path, 'utf8')).toBe(line);
    },
  );

  it.each(['known', 'accept-new'] as const)(
    'that is revoked is refused under %s, also where a line trusts it',
    async (hostKeys) => {
      const path = await knownHosts(
        `@revoked * ${ownLine().split(' ').slice(1).join(' ')}${ownLine()}`,
      );
      expect(await refusal({ knownHosts: path, hostKeys })).toMatch(/@revoked/);
    },
  );

  it.each(['known', 'accept-new'] as const)(
    'that only an authority vouches for is refused under %s, and the user is told what to do',
    async (hostKeys) => {
      const [, ...authority] = (await otherKey()).split(' ');
      const path = await knownHosts(`@cert-authority * ${authority.join(' ')}`);
      const message = await refusal({ knownHosts: path, hostKeys });
      expect(message).toMatch(/trusts only a @cert-authority for it.*certificates/);
      expect(message).toContain(`ssh-keyscan -p ${port()} 127.0.0.1 >> ${path}`);
    },
  );

  it('is found under a hashed name, as ssh-keygen writes it', async () => {
    const path = await knownHosts(ownLine());
    execFileSync('ssh-keygen', ['-q', '-H', '-f', path], { stdio: 'ignore' });
    expect(await readFile(path, 'utf8')).toMatch(/^\|1\|/);
    const provider = await openProvider({ knownHosts: path });
    expect(await run(await openSandbox(provider), 'echo in')).toBe('in\n');
    await writeFile(path, await otherKey());
    execFileSync('ssh-keygen', ['-q', '-H', '-f', path], { stdio: 'ignore' });
    expect(await refusal({ knownHosts: path })).toMatch(/another one than/);
  });

  it('may stand in any of the files', async () => {
    const path = await knownHosts('# nothing here\n');
    await appendFile(path, '\n');
    const provider = await openProvider({ knownHosts: [path, await knownHosts(ownLine())] });
    expect((await provider.preflight()).ok).toBe(true);
  });
});
