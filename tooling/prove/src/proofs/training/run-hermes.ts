import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A `hermes` command in a process of its own. */
export type RunningHermes = Readonly<{
  /** When it first told of something that matches; rejects when it ends before. */
  told: (what: RegExp) => Promise<void>;
  /** SIGKILL, and the end of it. */
  kill: () => Promise<void>;
  /** How it ends by itself: its exit code. */
  ended: Promise<number | null>;
}>;

/** Starts it with the environment and the model of the proofs. */
export function runHermes(argv: readonly string[]): RunningHermes {
  const main = fileURLToPath(new URL('hermes-process.ts', import.meta.url));
  const flags = ['--conditions=@hermes/source', '--import', 'tsx'];
  const child = spawn(process.execPath, [...flags, main, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reading = createInterface(child.stdout);
  reading.on('line', (line) => {
    lines.push(line);
    for (const wake of waiting) wake();
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const told = async (what: RegExp) => {
    const seen = new Promise<void>((resolve) => {
      const look = () => {
        if (!lines.some((line) => what.test(line))) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
    const early = ended.then((code) => {
      throw new Error(`hermes ${argv.join(' ')} ended with ${code} before it told of ${what}`);
    });
    await Promise.race([seen, early]);
    early.catch(() => undefined); // it may end now
  };
  return { told, kill: () => kill(child), ended };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
