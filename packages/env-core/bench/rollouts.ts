/**
 * What a rollout costs this process beside the model and the sandbox: CPU time a turn and memory a rollout, at 1, 100 and 1,000 at once.
 *
 * Measured: user and system time of the whole process, all its threads (also V8's collector and compiler), from the first trial to the
 * summary, divided by the turns (one model call and, but for the last, one tool call). So it holds its share of the sandbox's creation and
 * end, of the verifier and of the record. Every event is made and delivered to a sink that counts it. The model is scripted, streams, and
 * answers after a seeded 200 to 800 ms; the sandbox is in memory; the code is compiled as it is published.
 *
 * Left out: the start of the process and of the compiler (a warm-up comes first, and its garbage is gone before the clock starts), a run
 * directory's writing, and what a real model client or sandbox costs. Also left out is what waiting costs any process: the same sleeps are
 * slept without rollouts, in turns with the measured ones, and their CPU time is taken off. Where little happens that is most of it: an
 * idle process that a timer wakes twice a second can use more time on a busy machine than the turn does. Of several rounds the least counts;
 * `details` has all of them, with and without the waiting. Memory has a run of its own: collecting garbage in the middle costs time.
 *
 * One rollout at a time leaves the machine idle between its turns, and on a virtual machine a wake-up after half a second of idleness is
 * itself accounted with milliseconds (3 to 11 ms in bare Node where this was written), many times the turn. So there the same seeded waits
 * pass a hundred times faster, 2 to 8 ms; `details.uncompressed` has the figures of the full waits, as they are.
 */
import { report } from '@hermes/bench';
import type { RolloutRecord } from '@hermes/protocol';
import { scriptedModel, seededRandom } from '@hermes/protocol/testing';
import { createMemorySandboxProvider } from '@hermes/sandbox';
import { terminalToolset } from '@hermes/tools';
import { createEffects, type Environment, evaluate, type RunOptions } from '../src/index.ts';

/** How much is played: `rollouts` in all, `atOnce` of them side by side. */
type Load = Readonly<{ atOnce: number; rollouts: number; latencyMs: readonly [number, number] }>;

const turns = 10;
const rounds = 6;
const latencyMs = [200, 800] as const;
const loads: readonly Load[] = [
  { atOnce: 1, rollouts: 100, latencyMs: [2, 8] },
  { atOnce: 100, rollouts: 200, latencyMs },
  { atOnce: 1000, rollouts: 1000, latencyMs },
];
const effects = createEffects({}, 1);

await warmUp(10);
const measured = [];
for (const load of loads) measured.push(await cpuOf(load));
const uncompressed = await cpuOf({ atOnce: 1, rollouts: 2, latencyMs });
const kibPerRollout = await memoryOf({ atOnce: 1000, rollouts: 1000, latencyMs });

await report(
  new URL('../../bench/rollouts.ts', import.meta.url).href,
  [
    ...measured.map(({ atOnce, cpuMsPerTurn }) => ({
      name: `CPU time a turn, ${atOnce} at once`,
      value: cpuMsPerTurn,
      bound: 0.5,
      unit: ' ms',
    })),
    {
      name: 'memory a rollout beside its messages, 1000 at once',
      value: kibPerRollout,
      bound: 256,
      unit: ' KiB',
    },
  ],
  { turns, measured, uncompressed, kibPerRollout },
);

async function cpuOf(load: Load) {
  await settle();
  const waiting: number[] = [];
  const playing: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    waiting.push(await cpuMsPerTurnOf(load, () => sleepOnly(load)));
    playing.push(await cpuMsPerTurnOf(load, () => play(load)));
  }
  const cpuMsPerTurn = Math.max(0, Math.min(...playing) - Math.min(...waiting));
  return { atOnce: load.atOnce, rollouts: load.rollouts, cpuMsPerTurn, playing, waiting };
}

async function cpuMsPerTurnOf(load: Load, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuMsSince(before) / (load.rollouts * turns);
}

/** The waits of a load and nothing else. */
async function sleepOnly({ atOnce, rollouts, latencyMs: [minMs, maxMs] }: Load): Promise<void> {
  const random = seededRandom(1).fork('sleeps');
  const sleeps = (rollouts / atOnce) * turns;
  const chain = async () => {
    for (let slept = 0; slept < sleeps; slept += 1)
      await effects.clock.sleep(minMs + random.next() * (maxMs - minMs));
  };
  await Promise.all(Array.from({ length: atOnce }, chain));
}

/** The heap in the middle of the run, when all rollouts are under way, beside what it was before and beside their messages. */
async function memoryOf(load: Load): Promise<number> {
  await settle();
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  let heapPeak = heapBefore;
  const sample = () => {
    globalThis.gc?.();
    heapPeak = process.memoryUsage().heapUsed;
  };
  const sampler = setTimeout(sample, (turns * 500) / 2);
  let messageBytes = 0;
  await play(load, ({ agent }) => {
    messageBytes += JSON.stringify(agent?.messages).length;
  });
  clearTimeout(sampler);
  return Math.max(0, heapPeak - heapBefore - messageBytes / 2) / load.rollouts / 1024;
}

/**
 * Compiled code is what is measured. Through the same timers as the loads, only faster, and in several runs: code that was compiled
 * for the functions of one run alone is thrown away in the next (`--trace-deopt`: "wrong call target").
 */
async function warmUp(runs: number): Promise<void> {
  for (let run = 0; run < runs; run += 1)
    await play({ atOnce: 50, rollouts: 100, latencyMs: [0, 4] });
}

/**
 * Collects what came before and waits until compiler and collector, which work on in the background, are at rest. A full collection
 * while no rollout is alive also throws compiled code away (`--trace-deopt`: "weak objects"), so it is warmed up once more.
 */
async function settle(): Promise<void> {
  globalThis.gc?.();
  await warmUp(5);
  for (let quiet = 0, waited = 0; quiet < 3 && waited < 20; waited += 1) {
    const before = process.cpuUsage();
    await effects.clock.sleep(500);
    quiet = cpuMsSince(before) < 2 ? quiet + 1 : 0;
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Plays the rollouts to their end. All of them have to pass. */
async function play(
  load: Load,
  look: (record: RolloutRecord) => void = () => undefined,
): Promise<void> {
  let events = 0;
  const options: RunOptions<null> = {
    definition: { id: 'bench', version: '1', configDigest: 'none' },
    environment: environment(load.rollouts),
    model: {
      provider: 'scripted',
      modelId: 'scripted',
      open: ({ identity }) => slowModel(load, identity.itemId),
    },
    sandboxes: createMemorySandboxProvider({
      effects: { clock: effects.clock },
      commands: { true: () => ({ exitCode: 0 }) },
    }),
    sampling: {},
    effects,
    scheduler: {
      rollouts: load.atOnce,
      sandboxCreates: load.atOnce,
      modelCalls: load.atOnce,
      verifiers: load.atOnce,
      toolCalls: load.atOnce,
    },
    sinks: [
      {
        event() {
          events += 1;
        },
        async record(record) {
          if (record.status !== 'completed')
            throw new Error(`a rollout was errored: ${record.errored.error.message}`);
          look(record);
        },
      },
    ],
  };
  const summary = await evaluate(options);
  if (summary.passed !== load.rollouts)
    throw new Error(`${summary.passed} of ${load.rollouts} passed`);
  if (events < load.rollouts * turns) throw new Error(`only ${events} events were delivered`);
}

function slowModel({ latencyMs: [minMs, maxMs] }: Load, itemId: string) {
  const random = seededRandom(1).fork(itemId);
  return scriptedModel(
    (_request, _context, call) =>
      call === turns - 1
        ? 'Done.'
        : { content: 'Working.', calls: [{ name: 'terminal', arguments: { command: 'true' } }] },
    { clock: effects.clock, latency: { minMs, maxMs, random }, record: false },
  );
}

function environment(count: number): Environment<null> {
  return {
    datasetRevision: '1',
    toolsets: [terminalToolset()],
    async *items() {
      for (let index = 0; index < count; index += 1) yield { id: `item-${index}`, data: null };
    },
    prompt: () => [{ role: 'user', content: 'Run true nine times, then say that it is done.' }],
    sandbox: () => ({}),
    computeReward: async () => 1,
  };
}
