import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SshSandboxSettings } from '../src/index.ts';
import { temporaryFolder } from './_provider.ts';
import { serverFolder, serverSettings } from './_server.ts';

/** A second server with configuration lines of its own, and how it is reached. It has its own host key and ends with the test. */
export async function startServer(lines: readonly string[] = []): Promise<SshSandboxSettings> {
  const folder = await temporaryFolder();
  const port = await freePort();
  makeKey(join(folder, 'host'));
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host`,
    `PidFile ${folder}/pid`,
    // The first word on a matter counts.
    ...[
      ...lines,
      `AuthorizedKeysFile ${serverFolder}/authorized_keys`,
      'StrictModes no',
      'UsePAM no',
      'MaxStartups 100',
    ],
  ];
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (said.includes('Server listening')) break;
  }
  const knownHosts = join(folder, 'known_hosts');
  await writeFile(knownHosts, knownHostLine(port, join(folder, 'host.pub')));
  return { ...serverSettings(), port, knownHosts };
}

export function makeKey(path: string, passphrase = ''): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', path]);
}

/** The line that makes a server on this machine known by its public key's file. */
export function knownHostLine(port: number, publicKeyFile: string): string {
  const [type, key] = readFileSync(publicKeyFile, 'utf8').split(' ');
  return `[127.0.0.1]:${port} ${type} ${key}\n`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
