/** A lease with its end, proved, against the start of a container, and commands beside many open slots. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { interleave, report, type Timing } from '@hermes/bench';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider as createDocker } from '@hermes/sandbox-docker';
import { createSandboxProvider, type SlotPoolProvider } from '../src/index.ts';

const NEIGHBOURS = 99;
const ROUNDS = 20;
const COMMANDS = 300;
/** More than enough for the slot that is made in advance for the next lease. */
const NEXT_SLOT_MS = 200;

const image = process.argv[2] ?? 'hermes-test/debian:1';
const context = { openProvider: () => Promise.reject(new Error('not used')) };
const docker = await createDocker({ image }, context);
const pool = await openPool(NEIGHBOURS + 2);
const single = await openPool(1);

try {
  // The containers of the pools are there before anything is measured.
  await leaseOnce();
  await leaseTenTimes();
  const leases = await interleave(
    [
      { name: 'lease and end', run: leaseOnce, settle: () => sleep(NEXT_SLOT_MS) },
      // No ratio, but in the details: with no pause each waits until the slot that comes next in its place is made.
      { name: 'lease and end, ten in a row', run: leaseTenTimes },
      { name: 'container', run: () => open(docker), settle: (box) => (box as Sandbox).dispose() },
    ],
    ROUNDS,
  );
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
  await single.close();
  await docker.close();
}

type Timings = Readonly<Record<string, Timing>>;

/** Up to the proof that nothing of it is left. */
async function leaseOnce(): Promise<unknown> {
  return (await open(pool)).dispose();
}

async function leaseTenTimes(): Promise<number> {
  for (let round = 0; round < 10; round += 1) await (await open(single)).dispose();
  return single.stats().totals.leases;
}

async function measureCommands(name: string): Promise<Timings> {
  const slot = await open(pool);
  const command = { argv: ['true'] } as const;
  const run = () => slot.exec({ command, timeoutMs: 10_000 });
  const timings = await interleave([{ name, run }], COMMANDS);
  await slot.dispose();
  return timings;
}

function openPool(slotsPerSandbox: number): Promise<SlotPoolProvider> {
  const openProvider = () => createDocker({ image }, context);
  return createSandboxProvider({ slotsPerSandbox, maxSandboxes: 1 }, { openProvider });
}

function open(provider: SandboxProvider): Promise<Sandbox> {
  return provider.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey: randomUUID() });
}

function median(timings: Timings, name: string): number {
  return timings[name]?.medianMs ?? Number.NaN;
}
