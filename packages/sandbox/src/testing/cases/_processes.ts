import type { Sandbox } from '../../types.ts';
import { output } from './_run.ts';

/** Waits inside the sandbox, up to ten seconds, until a process is gone; zombies count as gone. */
export async function isGone(sandbox: Sandbox, pidFile: string): Promise<boolean> {
  return (await output(sandbox, gonePoll(pidFile))).trim() === 'gone';
}

/** Whether a process runs right now. */
export async function isAlive(sandbox: Sandbox, pidFile: string): Promise<boolean> {
  const script = `${liveness(pidFile)}; if alive; then echo alive; else echo gone; fi`;
  return (await output(sandbox, script)).trim() === 'alive';
}

function liveness(pidFile: string): string {
  return `pid=$(cat '${pidFile}') || exit 9
alive() { kill -0 "$pid" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$pid/status"; }`;
}

function gonePoll(pidFile: string): string {
  return `${liveness(pidFile)}
tries=0
while alive && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
if alive; then echo alive; kill -9 "$pid"; else echo gone; fi`;
}

/** Waits for the sandbox's end; gives the reason that its signal carries. */
export function untilGone({ gone }: Sandbox): Promise<unknown> {
  return new Promise((resolve) => {
    if (gone.aborted) resolve(gone.reason);
    gone.addEventListener('abort', () => resolve(gone.reason), { once: true });
  });
}
