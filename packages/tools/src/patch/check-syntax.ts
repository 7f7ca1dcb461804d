import { posix } from 'node:path';
import type { JsonObject } from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';

const TIMEOUT_MS = 30_000;
const MOST_CHARS = 2000;
const NOT_THERE = 127;

/** None of them leaves a file behind. The changed file's path comes last. */
const CHECKERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  '.py': [
    'python3',
    '-I',
    '-c',
    'import sys; compile(open(sys.argv[1], "rb").read(), sys.argv[1], "exec")',
  ],
  '.js': ['node', '--check'],
  '.ts': ['tsc', '--noEmit'],
  '.go': ['go', 'vet'],
  '.rs': ['rustfmt', '--check'],
};
const RUN = 'command -v "$1" >/dev/null 2>&1 || exit 127; exec "$@"';

/** Whether a changed file still is a program of its language, as far as the sandbox can tell. */
export async function checkSyntax(
  sandbox: Sandbox,
  path: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const extension = posix.extname(path);
  const checker = Object.hasOwn(CHECKERS, extension) ? CHECKERS[extension] : undefined;
  if (checker === undefined) return skipped(`No check for ${extension || 'such'} files`);
  if (!sandbox.capabilities.shell) return skipped('The sandbox has no shell');
  const result = await sandbox.exec({
    command: { argv: ['sh', '-c', RUN, 'check', ...checker, path] },
    timeoutMs: TIMEOUT_MS,
    cwd: posix.dirname(path),
    output: { merge: true, maxBytes: 16_384 },
    signal,
  });
  if (result.status === 'timeout')
    return skipped(`The check took longer than ${TIMEOUT_MS / 1000}s`);
  if (result.status !== 'exited') return skipped(`The check ended early: ${result.status}`);
  if (result.exitCode === NOT_THERE) return skipped(`${checker[0]} is not there`);
  const output = result.stdout.text().trim().slice(0, MOST_CHARS);
  return { status: result.exitCode === 0 ? 'ok' : 'error', output };
}

function skipped(message: string): JsonObject {
  return { status: 'skipped', message };
}
