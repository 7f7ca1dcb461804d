import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonCommand } from '@hermes/vitest-config/services';

/** What a Python program of this folder prints, as data. */
export async function askPython(script: string, args: readonly string[]): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const run = promisify(execFile)(pythonCommand, [path, ...args], { timeout: 60_000 });
  return JSON.parse((await run).stdout);
}
