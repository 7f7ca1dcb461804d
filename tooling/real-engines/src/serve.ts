import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A server that answers, and the end of it. */
export type Served = Readonly<{ baseUrl: string; close(): Promise<void> }>;

/** On a busy machine vLLM takes minutes to load its libraries. */
const STARTS_WITHIN_LOOKS = 4000;
const LOOK_EVERY_MS = 100;
const LONGEST_LOOK_MS = 5_000;

/** Whether the service is there: its own script says so. */
export function isInstalled(service: string): boolean {
  return spawnSync('sh', [scriptOf(service), 'check']).status === 0;
}

/** What a service's own script says to a command. */
export function runScript(service: string, command: string): string {
  return execFileSync('sh', [scriptOf(service), command], { encoding: 'utf8' });
}

/** Runs a service's own script until it is closed. */
export async function serve(service: string, model: string): Promise<Served> {
  const port = await freePort();
  // A group of its own: some servers are several processes.
  const child = spawn('sh', [scriptOf(service), 'run', model, String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors = (errors + piece).slice(-4000);
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await untilHealthy(baseUrl, child);
    return { baseUrl, close: () => end(child) };
  } catch (cause) {
    await end(child);
    throw new Error(`${service} did not start: ${errors}`, { cause });
  }
}

function scriptOf(service: string): string {
  return fileURLToPath(new URL(`../../services/${service}.sh`, import.meta.url));
}

async function untilHealthy(baseUrl: string, child: ChildProcess): Promise<void> {
  for (let look = 0; look < STARTS_WITHIN_LOOKS && child.exitCode === null; look += 1) {
    const signal = AbortSignal.timeout(LONGEST_LOOK_MS); // one that listens may not answer yet
    const answer = await fetch(`${baseUrl}/health`, { signal }).catch(() => null);
    if (answer?.ok) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('it does not answer');
}

async function end(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-pid, 'SIGTERM');
  const hard = setTimeout(() => process.kill(-pid, 'SIGKILL'), 20_000);
  await ended;
  clearTimeout(hard);
}

/** A port that nothing listens on just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
