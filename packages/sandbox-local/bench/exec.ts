/** Commands and bytes through the supervisor's channel of a warm local sandbox, against a fresh process for each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { interleave, report, type Timing } from '@hermes/bench';
import type { Command, Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider } from '../src/index.ts';

const payload = new Uint8Array(64 * 1024 * 1024).fill(0x61);

const provider = await createSandboxProvider(
  { isolation: process.argv[2] ?? 'auto' },
  { openProvider: () => Promise.reject(new Error('not used')) },
);
try {
  await using sandbox = await open(provider);
  const commands = await measureCommands(sandbox);
  const bytes = await measureBytes(sandbox);
  const floor = medianOf(commands, 'spawn bash');
  const cat = medianOf(bytes, 'cat');
  await report(
    import.meta.url,
    [
      {
        name: "exec /bin/true / spawn('bash', ['-c', 'true'])",
        value: medianOf(commands, 'exec true') / floor,
        bound: 0.5,
      },
      {
        name: "exec of a bash script / spawn('bash', ['-c', 'true'])",
        value: medianOf(commands, 'exec script') / floor,
        bound: 0.8,
      },
      {
        name: '64 MiB up, throughput / cat over a pipe',
        value: cat / medianOf(bytes, 'up'),
        bound: 0.5,
        direction: 'at_least',
      },
      {
        name: '64 MiB down, throughput / cat over a pipe',
        value: cat / medianOf(bytes, 'down'),
        bound: 0.5,
        direction: 'at_least',
      },
    ],
    { isolation: sandbox.info.isolation, commands, bytes },
  );
} finally {
  await provider.close();
}

function open(from: SandboxProvider): Promise<Sandbox> {
  return from.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey: `bench-${process.pid}` });
}

function measureCommands(sandbox: Sandbox): Promise<Readonly<Record<string, Timing>>> {
  const exec = (command: Command) => sandbox.exec({ command, timeoutMs: 10_000 });
  return interleave(
    [
      {
        name: 'spawn bash',
        run: () => once(spawn('bash', ['-c', 'true'], { stdio: 'pipe' }), 'close'),
      },
      { name: 'exec true', run: () => exec({ argv: ['/bin/true'] }) },
      { name: 'exec script', run: () => exec({ script: 'true', shell: 'bash' }) },
    ],
    300,
  );
}

function measureBytes(sandbox: Sandbox): Promise<Readonly<Record<string, Timing>>> {
  return interleave(
    [
      { name: 'cat', run: catThroughPipe },
      { name: 'up', run: () => sandbox.files.write('payload', payload) },
      { name: 'down', run: () => sandbox.files.read('payload') },
    ],
    8,
  );
}

/** The same bytes into `cat` and back out of it. */
async function catThroughPipe(): Promise<number> {
  const child = spawn('cat', [], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(payload);
  let total = 0;
  for await (const chunk of child.stdout) total += (chunk as Uint8Array).length;
  return total;
}

function medianOf(timings: Readonly<Record<string, Timing>>, name: string): number {
  const timing = timings[name];
  if (timing === undefined) throw new Error(`${name} was not measured`);
  return timing.medianMs;
}
