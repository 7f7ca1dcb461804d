import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Runs a script that writes a line for each record, and kills it with the n-th; null: it ends by itself. Resolves with how it ended. */
export async function runAndKill(
  script: URL,
  args: readonly string[],
  killAt: number | null,
): Promise<unknown> {
  const flags = ['--conditions=@hermes/source', '--import', import.meta.resolve('tsx')];
  const child = spawn(process.execPath, [...flags, fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let seen = 0;
  for await (const _line of createInterface(child.stdout)) {
    seen += 1;
    if (seen === killAt) child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  return signal ?? code;
}
