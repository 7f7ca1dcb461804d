import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { expectedBackends } from './_backends.ts';
import { hermes } from './_run.ts';

// Every run that starts removes what dead runs of the same user left: a test beside this one would be first.
const LONG_MS = 120_000;
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

type Variables = Readonly<Record<string, string>>;

/** A run of another process that holds a sandbox. Its process ends with the test. */
async function holdElsewhere(name: string, label: string, variables: Variables) {
  const flags = ['--conditions=@hermes/source', '--import', import.meta.resolve('tsx')];
  const argv = ['sandbox', 'run', '--sandbox', name, '--label', label, '--json'];
  const child = spawn(process.execPath, [...flags, main, ...argv], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const early = ended.then(([code]) => {
    throw new Error(`it ended with ${code}: ${said}`);
  });
  const [line] = (await Promise.race([once(child.stdout, 'data'), early])) as [Buffer];
  const { ref } = JSON.parse(line.toString()) as { ref: { id: string; name: string | null } };
  return { child, ended, ref };
}

describe.each(expectedBackends())('hermes sandbox, with $name', ({ name, variables }) => {
  const run = (argv: readonly string[]) =>
    hermes(['sandbox', ...argv, '--sandbox', name], { environmentVariables: variables });

  it('keeps what a living run holds, and removes it when that run is dead', {
    timeout: LONG_MS,
  }, async () => {
    const label = `test=${randomUUID()}`;
    const { child, ended, ref } = await holdElsewhere(name, label, variables);
    const list = async () =>
      JSON.parse((await run(['ls', '--label', label, '--json'])).stdout) as readonly object[];
    expect(await list()).toMatchObject([{ id: ref.id, isOrphan: false }]);

    const kept = await run(['rm', ref.id]);
    expect(kept.code).toBe(exitCodes.runFailed);
    expect(kept.stderr).toContain(`its run is alive (process ${child.pid}); --force removes it`);
    const reaped = await run(['reap', '--label', label]);
    expect(reaped.stdout).toBe('removed 0, kept 1, failed 0\n');

    child.kill('SIGKILL');
    await ended;
    expect((await run(['reap', '--label', 'test=other'])).stdout).toMatch(/^removed 0, kept 0/);
    const dry = await run(['reap', '--label', label, '--dry-run']);
    expect(dry.stdout).toBe('would remove 1, kept 0, failed 0\n');
    expect(await list()).toMatchObject([{ id: ref.id, isOrphan: true }]);
    expect((await run(['reap', '--label', label])).stdout).toBe('removed 1, kept 0, failed 0\n');
    expect(await list()).toEqual([]);
  });

  it('removes by the start of an id, a living one with --force', { timeout: LONG_MS }, async () => {
    const label = `test=${randomUUID()}`;
    const { ended, ref } = await holdElsewhere(name, label, variables);
    const removed = await run(['rm', ref.id.slice(0, -2), '--force']);
    expect(removed).toEqual({ code: exitCodes.ran, stdout: `${ref.name ?? ref.id}\n`, stderr: '' });
    // the run sees that its sandbox is gone and ends by itself
    await ended;
    const again = await run(['rm', ref.id]);
    expect(again).toMatchObject({ code: exitCodes.runFailed, stderr: `no sandbox ${ref.id}\n` });
  });
});
