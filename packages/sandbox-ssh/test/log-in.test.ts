import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandboxProvider, type SshSandboxSettings } from '../src/index.ts';
import { context, openProvider, openSandbox, run, temporaryFolder } from './_provider.ts';
import { serverFolder } from './_server.ts';
import { makeKey, startServer } from './_sshd.ts';

const password = () => readFileSync(join(serverFolder, 'password'), 'utf8');
const key = join(serverFolder, 'client_ed25519');

async function problemWith(settings: SshSandboxSettings): Promise<string> {
  const { ok, problems } = await (await openProvider(settings)).preflight();
  expect(ok).toBe(false);
  return `${problems[0]?.code}: ${problems[0]?.message}`;
}

async function whoAmI(settings: SshSandboxSettings): Promise<string> {
  return (await run(await openSandbox(await openProvider(settings)), 'id -un')).trim();
}

/** A folder with the client's key under a passphrase. */
async function encryptedKey(): Promise<string> {
  const path = join(await temporaryFolder(), 'key');
  copyFileSync(key, path);
  await chmod(path, 0o600);
  execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'open sesame', '-f', path], {
    stdio: 'ignore',
  });
  return path;
}

/** An agent that has this key. */
async function startAgent(): Promise<string> {
  const socket = join(await temporaryFolder(), 'agent');
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void agent.kill());
  for await (const _line of agent.stdout) break;
  execFileSync('ssh-add', ['-q', key], {
    env: { ...process.env, SSH_AUTH_SOCK: socket },
    stdio: 'ignore',
  });
  return socket;
}

describe.runIf(isExpected('sshd'))('logging in', { timeout: 60_000 }, () => {
  it('takes a key with a passphrase', async () => {
    const path = await encryptedKey();
    expect(await whoAmI({ key: path, passphrase: 'open sesame' })).toBe('hermes-ssh');
  });

  it.each([undefined, 'wrong'])(
    'refuses an encrypted key with the passphrase %s, and names the key',
    async (passphrase) => {
      const path = await encryptedKey();
      const settings = { key: path, ...(passphrase === undefined ? {} : { passphrase }) };
      expect(await problemWith(settings)).toContain(
        `SSH_CONFIG: sandbox ssh: the key ${path} cannot be used`,
      );
    },
  );

  it('takes the keys of an agent', async () => {
    const other = join(await temporaryFolder(), 'other');
    makeKey(other);
    expect(await whoAmI({ key: other, agent: await startAgent() })).toBe('hermes-ssh');
  });

  it('does without an agent that is not there', async () => {
    expect(await whoAmI({ agent: '/nowhere/agent' })).toBe('hermes-ssh');
  });

  it('takes a password', async () => {
    expect(await whoAmI({ user: 'hermes-ssh-pass', password: password() })).toBe('hermes-ssh-pass');
  });

  it('answers with the password where the server asks for it', async () => {
    const lines = ['UsePAM yes', 'KbdInteractiveAuthentication yes', 'PasswordAuthentication no'];
    const server = await startServer([...lines, 'AuthorizedKeysFile none']);
    const settings = { ...server, user: 'hermes-ssh-pass', password: password() };
    expect(await whoAmI(settings)).toBe('hermes-ssh-pass');
  });

  it('says what was tried when the server refuses all of it, without the password', async () => {
    const message = await problemWith({ user: 'hermes-ssh-pass', password: 'not-this-one' });
    expect(message).toMatch(
      /^SSH_AUTH: connect to hermes-ssh-pass@\S+: it accepted none of: the key \S+, the password/,
    );
    expect(message).not.toContain('not-this-one');
  });

  it('names a key file that cannot be read or is none', async () => {
    expect(await problemWith({ key: '/nowhere/key' })).toMatch(
      /SSH_CONFIG: .*\/nowhere\/key cannot be read/,
    );
    const path = join(await temporaryFolder(), 'text');
    await writeFile(path, 'no key');
    expect(await problemWith({ key: path })).toMatch(/SSH_CONFIG: .*text cannot be used/);
    expect(await problemWith({ key: `${key}.pub` })).toMatch(/SSH_CONFIG: .*pub cannot be used/);
  });

  it('says that nobody listens', async () => {
    expect(await problemWith({ port: 1 })).toMatch(/SSH_TRANSPORT: connect to \S+: .*ECONNREFUSED/);
  });

  it('says that no host is named', async () => {
    const provider = await openProvider({ host: undefined } as object);
    const { problems } = await provider.preflight();
    expect(problems[0]?.fix).toContain('TERMINAL_SSH_HOST');
  });

  it('goes through other servers, and each of them must be known', async () => {
    const gate = await startServer();
    const inner = await startServer(['AllowTcpForwarding no']);
    const jump = `hermes-ssh@127.0.0.1:${gate.port}`;
    const knownHosts = [String(gate.knownHosts), String(inner.knownHosts)];
    const provider = await openProvider({ ...inner, jump, knownHosts });
    expect(await run(await openSandbox(provider), 'echo in')).toBe('in\n');
    expect(await problemWith({ ...inner, jump, knownHosts: [String(inner.knownHosts)] })).toContain(
      `[127.0.0.1]:${gate.port}`,
    );
  });

  it('goes by a name of the ssh configuration, with the account, key, way and known hosts that stand there', async () => {
    const gate = await startServer();
    const inner = await startServer(['AllowTcpForwarding no']);
    const sshConfig = join(await temporaryFolder(), 'config');
    const config = `
Host inside
  HostName 127.0.0.1
  Port ${inner.port}
  ProxyJump gate
  UserKnownHostsFile ${inner.knownHosts}
Host gate
  HostName 127.0.0.1
  Port ${gate.port}
  UserKnownHostsFile ${gate.knownHosts}
Host *
  User hermes-ssh
  IdentityFile /nowhere/key
  IdentityFile ${key}
  IdentityAgent none
  StrictHostKeyChecking no`;
    await writeFile(sshConfig, config);
    const provider = await createSandboxProvider({ host: 'inside', sshConfig }, context);
    onTestFinished(() => provider.close());
    expect(await run(await openSandbox(provider), 'id -un')).toBe('hermes-ssh\n');
    await writeFile(sshConfig, config.replace(String(gate.knownHosts), '/dev/null'));
    const careless = await createSandboxProvider({ host: 'inside', sshConfig }, context);
    onTestFinished(() => careless.close());
    expect((await careless.preflight()).problems[0]?.message).toMatch(/the host is refused/);
  });

  it('says which server on the way forwards nothing', async () => {
    const gate = await startServer(['AllowTcpForwarding no']);
    const jump = `hermes-ssh@127.0.0.1:${gate.port}`;
    const knownHosts = [String(gate.knownHosts), join(serverFolder, 'known_hosts')];
    expect(await problemWith({ jump, knownHosts })).toMatch(
      /SSH_TRANSPORT: reach \S+ through the server before it/,
    );
  });
});
