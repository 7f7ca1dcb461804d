/** A lease with its end against the start of a container, and commands beside many open slots. */
import { randomUUID } from 'node:crypto';
import { interleave, report, type Timing } from '@hermes/bench';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider as createDocker } from '@hermes/sandbox-docker';
import { createSandboxProvider } from '../src/index.ts';

const NEIGHBOURS = 99;
const ROUNDS = 20;
const COMMANDS = 300;

/** Containers that were started, on their way out. */
const ended: Promise<unknown>[] = [];
const image = process.argv[2] ?? 'hermes-test/debian:1';
const context = { openProvider: () => Promise.reject(new Error('not used')) };
const docker = await createDocker({ image }, context);
const pool = await createSandboxProvider(
  { slotsPerSandbox: NEIGHBOURS + 2, maxSandboxes: 1 },
  { openProvider: () => createDocker({ image }, context) },
);

try {
  // The container of the pool is there before anything is measured.
  await (await open(pool)).dispose();
  const leases = await interleave(
    [
      { name: 'lease and end', run: async () => (await open(pool)).dispose() },
      { name: 'container', run: startContainer },
    ],
    ROUNDS,
  );
  await Promise.all(ended);
  const alone = await measureCommands('alone');
  const neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, () => open(pool)));
  const beside = await measureCommands('beside');
  await Promise.all(neighbours.map((slot) => slot.dispose()));
  await report(
    import.meta.url,
    [
      {
        name: 'a lease with its end / the start of a container',
        value: median(leases, 'lease and end') / median(leases, 'container'),
        bound: 0.1,
      },
      {
        name: 'exec with 100 slots open / with one',
        value: median(beside, 'beside') / median(alone, 'alone'),
        bound: 1.2,
      },
    ],
    { ...leases, ...alone, ...beside },
  );
} finally {
  await pool.close();
  await docker.close();
}

type Timings = Readonly<Record<string, Timing>>;

/** Until it answers; its end does not count. */
async function startContainer(): Promise<string> {
  const sandbox = await open(docker);
  ended.push(sandbox.dispose());
  return sandbox.ref.id;
}

async function measureCommands(name: string): Promise<Timings> {
  const slot = await open(pool);
  const command = { argv: ['true'] } as const;
  const run = () => slot.exec({ command, timeoutMs: 10_000 });
  const timings = await interleave([{ name, run }], COMMANDS);
  await slot.dispose();
  return timings;
}

function open(provider: SandboxProvider): Promise<Sandbox> {
  return provider.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey: randomUUID() });
}

function median(timings: Timings, name: string): number {
  return timings[name]?.medianMs ?? Number.NaN;
}
