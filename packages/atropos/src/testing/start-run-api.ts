import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { rawRequest } from './raw-request.ts';

export interface RunApi extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  /** SIGKILL, and the end of it. */
  kill(): Promise<void>;
}

/** The real `run-api`, as a process of its own. python: one that has atroposlib. port: default any free one. */
export async function startRunApi(python: string, port?: number): Promise<RunApi> {
  const chosen = port ?? (await freePort());
  const code = 'from atroposlib.cli.run_api import main; main()';
  const argv = ['-c', code, '--host', '127.0.0.1', '--port', String(chosen)];
  const child = spawn(python, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors += piece;
  });
  child.once('error', (error) => {
    errors += String(error);
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
  for (let look = 0; look < 600 && child.pid !== undefined && child.exitCode === null; look += 1) {
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
  const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (isGone) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
