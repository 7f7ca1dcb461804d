import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SshSandboxSettings } from '../src/index.ts';
import { temporaryFolder } from './_provider.ts';
import { serverFolder, serverSettings } from './_server.ts';

/** A second server with configuration lines of its own, and how it is reached. It has its own host key and ends with the test. */
export async function startServer(lines: readonly string[] = []): Promise<SshSandboxSettings> {
  return (await startServerProcess(lines)).settings;
}

/** The same in these control groups, with the process that listens; at the place of an earlier one where that is given. */
export async function startServerProcess(
  lines: readonly string[] = [],
  groups: readonly string[] = [],
  earlier?: SshSandboxSettings,
): Promise<{ settings: SshSandboxSettings; pid: number }> {
  const folder = await temporaryFolder();
  const port = earlier?.port ?? (await freePort());
  const hostKey = earlier === undefined ? join(folder, 'host') : hostKeyOf(earlier);
  if (earlier === undefined) makeKey(hostKey);
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
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
  const child = startIn(groups, ['/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'config')]);
  onTestFinished(() => endServer(child));
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (said.includes('Server listening')) break;
  }
  const knownHosts = join(dirname(hostKey), 'known_hosts');
  if (earlier === undefined) await writeFile(knownHosts, knownHostLine(port, `${hostKey}.pub`));
  return { settings: { ...serverSettings(), port, knownHosts }, pid: child.pid ?? 0 };
}

/** It lies beside the known hosts. */
function hostKeyOf({ knownHosts }: SshSandboxSettings): string {
  return join(dirname(String(knownHosts)), 'host');
}

const JOIN_AND_RUN =
  'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done; shift; exec "$@"';

function startIn(groups: readonly string[], argv: readonly string[]) {
  const words = ['-c', JOIN_AND_RUN, 'sh', ...groups, '--', ...argv];
  return spawn('sh', words, { stdio: ['ignore', 'ignore', 'pipe'] });
}

async function endServer(child: ReturnType<typeof startIn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
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
