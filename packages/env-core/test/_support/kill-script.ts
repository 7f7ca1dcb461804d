import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Runs a script and kills it so long after it has begun; null: it ends by itself. Resolves with how it ended. */
export async function runAndKill(
  script: URL,
  args: readonly string[],
  killAfterMs: number | null,
): Promise<unknown> {
  const flags = ['--conditions=@hermes/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...flags, fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  if (killAfterMs !== null) {
    await Promise.race([sleep(killAfterMs), ended]); // a moment of the run, not a wait for something
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  return signal ?? code;
}
