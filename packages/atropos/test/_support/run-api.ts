import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pythonCommand } from '@hermes/vitest-config/services';
import { rawRequest } from '../../src/testing/index.ts';

export interface RunApi extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  /** SIGKILL, and the end of it. */
  kill(): Promise<void>;
}

/** The real `run-api` of atroposlib, as a process of its own. */
export async function startRunApi(port?: number): Promise<RunApi> {
  const chosen = port ?? (await freePort());
  const code = 'from atroposlib.cli.run_api import main; main()';
  const child = spawn(
    pythonCommand,
    ['-c', code, '--host', '127.0.0.1', '--port', String(chosen)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors += piece;
  });
  const baseUrl = `http://127.0.0.1:${chosen}`;
  const kill = () => end(child);
  try {
    await untilThere(baseUrl, child);
  } catch (cause) {
    await kill();
    throw new Error(`run-api did not start: ${errors}`, { cause });
  }
  return { baseUrl, port: chosen, kill, [Symbol.asyncDispose]: kill };
}

async function untilThere(baseUrl: string, child: ChildProcess): Promise<void> {
  for (let look = 0; look < 600 && child.exitCode === null; look += 1) {
    const answer = await rawRequest(baseUrl, { path: '/' }).catch(notYet);
    if (answer?.status === 200) return;
    await sleep(50);
  }
  throw new Error('it does not answer');
}

function notYet(): null {
  return null;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A port that nothing listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
