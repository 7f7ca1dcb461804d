import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '@hermes/vitest-config/services';
import Dockerode from 'dockerode';
import { onTestFinished, vi } from 'vitest';
import { BUSYBOX, docker } from './_docker.ts';

/** Whether a second daemon can be started here: one that a test may stop, and whose disk it may fill. */
export const hasPrivateDaemon: boolean =
  isExpected('docker') &&
  process.getuid?.() === 0 &&
  ['/usr/sbin/dockerd', '/usr/bin/dockerd'].some((path) => existsSync(path));

export type PrivateDaemon = Readonly<{
  host: string;
  docker: Dockerode;
  /** As `kill` does it; resolves when the daemon has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}>;

/** A daemon of the test's own, without network and with a disk of this size in memory; gone with all of it after the test. */
export async function startPrivateDaemon(diskMib: number): Promise<PrivateDaemon> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-dockerd-'));
  const disk = join(folder, 'disk');
  // All below one mount, so that whatever the daemon mounts in it goes with it.
  mountTmpfs(folder, 64);
  await mkdir(disk);
  mountTmpfs(disk, diskMib);
  const path = join(folder, 'docker.sock');
  const places = ['--data-root', `${disk}/data`, '--exec-root', join(folder, 'exec')];
  const socket = ['--host', `unix://${path}`, '--pidfile', join(folder, 'pid')];
  const argv = [...places, ...socket, '--bridge=none', '--iptables=false'];
  // In a network of its own: without a bridge it would take away that of the machine's daemon.
  const daemon = spawn('unshare', ['--net', 'dockerd', ...argv], { stdio: 'ignore' });
  const ended = once(daemon, 'exit');
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    daemon.kill(signal);
    await ended;
  };
  onTestFinished(async () => {
    await end('SIGTERM');
    endAllOf(folder);
    execFileSync('umount', ['--recursive', '--lazy', folder]);
    await rm(folder, { recursive: true });
  }, 60_000);
  const own = new Dockerode({ socketPath: path });
  await vi.waitFor(() => own.ping(), patience);
  await own.loadImage(await docker.getImage(BUSYBOX).get());
  return { host: `unix://${path}`, docker: own, end };
}

const patience = { timeout: 60_000, interval: 100 };

function mountTmpfs(place: string, mebibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', place]);
}

/** What a killed daemon leaves running: containerd and the containers, whose command lines name the folder. */
function endAllOf(folder: string): void {
  const script = `for p in /proc/[0-9]*; do
    tr '\\0' ' ' < $p/cmdline | grep -q "$1/" && [ "\${p#/proc/}" != $$ ] && kill -9 "\${p#/proc/}"
  done 2>/dev/null; true`;
  execFileSync('sh', ['-c', script, 'sh', folder], { stdio: 'ignore' });
}
