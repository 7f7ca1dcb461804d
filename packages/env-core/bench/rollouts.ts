/**
 * What a rollout costs this process beside the model and the sandbox: CPU time a turn and memory a rollout, at 1, 100 and 1,000 at once.
 * The model is scripted with a seeded latency of 200 to 800 ms, the sandbox is in memory: what is left is the loop, the tools and the runner.
 */
import { report } from '@hermes/bench';
import type { Clock } from '@hermes/protocol';
import { scriptedModel, seededRandom } from '@hermes/protocol/testing';
import { createMemorySandboxProvider } from '@hermes/sandbox';
import { terminalToolset } from '@hermes/tools';
import { createEffects, type Environment, evaluate, type RunOptions } from '../src/index.ts';

const turns = 10;
const concurrencies = [1, 100, 1000] as const;
const effects = createEffects({}, 1);

await runRollouts(1_500, { ...effects.clock, sleep: () => Promise.resolve() }); // warm: compiled code is what is measured
const measured = [];
for (const concurrency of concurrencies) measured.push(await measure(concurrency));

await report(
  import.meta.url,
  measured.flatMap(({ concurrency, cpuMsPerTurn, kibPerRollout }) => [
    {
      name: `CPU time a turn, ${concurrency} at once`,
      value: cpuMsPerTurn,
      bound: 0.5,
      unit: ' ms',
    },
    ...(concurrency < 1000
      ? []
      : [
          {
            name: `memory a rollout beside its messages, ${concurrency} at once`,
            value: kibPerRollout,
            bound: 256,
            unit: ' KiB',
          },
        ]),
  ]),
  { turns, measured },
);

interface Measured {
  readonly concurrency: number;
  readonly cpuMsPerTurn: number;
  readonly kibPerRollout: number;
  readonly wallMs: number;
}

async function measure(concurrency: number): Promise<Measured> {
  globalThis.gc?.();
  await effects.clock.sleep(2_000); // compiler and collector go on in the background for a while
  const heapBefore = process.memoryUsage().heapUsed;
  const before = process.cpuUsage();
  const startedMs = performance.now();
  let heapPeak = heapBefore;
  let samplerUs = 0;
  const sample = () => {
    const start = process.cpuUsage();
    globalThis.gc?.();
    heapPeak = process.memoryUsage().heapUsed;
    samplerUs = cpuUs(process.cpuUsage(start)); // the measurement's own cost is not the rollouts'
  };
  const sampler = setTimeout(sample, (turns * 500) / 2);
  const messageBytes = await runRollouts(concurrency, effects.clock);
  clearTimeout(sampler);
  const usedUs = cpuUs(process.cpuUsage(before)) - samplerUs;
  return {
    concurrency,
    cpuMsPerTurn: usedUs / 1000 / (concurrency * turns),
    kibPerRollout: Math.max(0, heapPeak - heapBefore - messageBytes / 2) / concurrency / 1024,
    wallMs: performance.now() - startedMs,
  };
}

function cpuUs({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

/** Plays `count` rollouts at once; returns the bytes of all their messages. */
async function runRollouts(count: number, clock: Clock): Promise<number> {
  let messageBytes = 0;
  const options: RunOptions<null> = {
    definition: { id: 'bench', version: '1', configDigest: 'none' },
    environment: environment(count),
    model: {
      provider: 'scripted',
      modelId: 'scripted',
      open: ({ rolloutId }) => slowModel(clock, rolloutId),
    },
    sandboxes: createMemorySandboxProvider({ commands: { true: () => ({ exitCode: 0 }) } }),
    sampling: {},
    effects,
    scheduler: {
      rollouts: count,
      sandboxCreates: count,
      modelCalls: count,
      verifiers: count,
      toolCalls: count,
    },
    sinks: [
      {
        async record(record) {
          if (record.status !== 'completed')
            throw new Error(`a rollout was errored: ${record.errored.error.message}`);
          messageBytes += JSON.stringify(record.agent?.messages).length;
        },
      },
    ],
  };
  const summary = await evaluate(options);
  if (summary.passed !== count) throw new Error(`${summary.passed} of ${count} passed`);
  return messageBytes;
}

function slowModel(clock: Clock, rolloutId: string) {
  const random = seededRandom(rolloutId.length).fork(rolloutId);
  return scriptedModel(
    (_request, _context, call) =>
      call === turns - 1
        ? 'Done.'
        : { content: 'Working.', calls: [{ name: 'terminal', arguments: { command: 'true' } }] },
    { clock, latency: { minMs: 200, maxMs: 800, random }, record: false },
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
