import { createEmitter } from '@hermes/agent-loop';
import type { Effects, EmitEvent, Limiter, Random, RolloutEvent, Toolset } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { Capabilities, PreflightReport, SandboxProvider } from '@hermes/sandbox';
import type { ToolResources } from '@hermes/tools';
import { type Alarms, createAlarms } from './_alarms.ts';
import { createModelLimiter } from './_model-limiter.ts';
import { retryPolicy } from './_retry.ts';
import { seededRandom } from './_seeded-random.ts';
import { createEffects } from './create-effects.ts';
import { createLimiter } from './create-limiter.ts';
import type { RolloutSink, RunEvent } from './run-events.ts';
import type { RetryPolicy, RunOptions, SchedulerLimits } from './run-options.ts';

/** What all rollouts of one run share. */
export type RunContext<Data> = Readonly<{
  options: RunOptions<Data>;
  effects: Effects;
  /** For the deadlines of all rollouts. Whoever opened the context closes them. */
  alarms: Alarms;
  /** From the run's seed alone: for items, their order and their tools. */
  random: Random;
  runId: string;
  limiters: Readonly<Record<keyof SchedulerLimits, Limiter>>;
  retry: RetryPolicy;
  versions: Readonly<Record<string, string>>;
  sinks: readonly RolloutSink[];
  /** The provider's capabilities as its preflight proved them; asked once a run. Throws a HermesError that says what to fix. */
  capabilities: () => Promise<Capabilities>;
  /** Whether a toolset can be used here; asked once a run. */
  isAvailable: (toolset: Toolset<ToolResources>) => Promise<ToolsetAvailability>;
  /** Makes the emitter of one try. To every sink; a sink that throws is logged and the others still get it. */
  openEmitter: (rolloutId: string) => EmitEvent;
  announce: (event: RunEvent) => void;
}>;

/** What a toolset says of itself. */
type ToolsetAvailability = { readonly ok: true } | Readonly<{ ok: false; message: string }>;

/** Fills in the defaults and makes the shared limits. */
export function openRunContext<Data>(options: RunOptions<Data>): RunContext<Data> {
  const effects = createEffects(options.effects, options.seed ?? 0);
  const sinks = options.directory ? [options.directory, ...options.sinks] : options.sinks;
  const models = createModelLimiter(options.scheduler?.modelCalls ?? 512, effects.clock);
  return {
    options,
    effects,
    alarms: createAlarms(effects.clock),
    random: seededRandom(String(options.seed ?? 0)),
    runId: options.directory?.runId ?? effects.newId('run'),
    limiters: openLimiters(options.scheduler ?? {}, effects, models.limiter),
    retry: retryPolicy(options.retry, effects.random.fork('retry')),
    versions: versionsOf(options),
    sinks,
    capabilities: once(() => preflight(options.sandboxes, options.signal)),
    isAvailable: availability(options.signal),
    openEmitter: emitterMaker(sinks, effects, models.watch),
    announce: (event) => tellAll(sinks, effects, (sink) => sink.run?.(event)),
  };
}

function openLimiters(
  limits: Partial<SchedulerLimits>,
  effects: Effects,
  modelCalls: Limiter,
): RunContext<unknown>['limiters'] {
  const limiter = (limit: number) => createLimiter(limit, () => effects.clock.now().monoMs);
  const rollouts = limits.rollouts ?? 4;
  return {
    rollouts: limiter(rollouts),
    sandboxCreates: limiter(limits.sandboxCreates ?? 4),
    modelCalls,
    verifiers: limiter(limits.verifiers ?? rollouts),
    toolCalls: limiter(limits.toolCalls ?? 128),
  };
}

function versionsOf(options: RunOptions<unknown>): Readonly<Record<string, string>> {
  return {
    node: process.version,
    environment: options.definition.version,
    dataset: options.environment.datasetRevision,
    ...options.versions,
  };
}

function availability(signal: AbortSignal | undefined): RunContext<unknown>['isAvailable'] {
  const asked = new Map<Toolset<ToolResources>, Promise<ToolsetAvailability>>();
  return (toolset) => {
    const answer = asked.get(toolset) ?? toolset.available?.(signal) ?? Promise.resolve(AVAILABLE);
    asked.set(toolset, answer);
    return answer;
  };
}

const AVAILABLE = { ok: true } as const;

/** Where no sink wants events, none are stamped: a rollout makes hundreds of them. */
function emitterMaker(
  sinks: readonly RolloutSink[],
  effects: Effects,
  watch: EmitEvent,
): RunContext<unknown>['openEmitter'] {
  const listening = sinks.filter((sink) => sink.event !== undefined);
  if (listening.length === 0) return () => watch;
  const deliver = (event: RolloutEvent) => {
    watch(event);
    tellAll(listening, effects, (sink) => sink.event?.(event));
  };
  return (rolloutId) => createEmitter(rolloutId, effects, deliver);
}

function tellAll(
  sinks: readonly RolloutSink[],
  effects: Effects,
  send: (sink: RolloutSink) => void,
): void {
  for (const sink of sinks) {
    try {
      send(sink);
    } catch (error) {
      effects.logger.log('error', `A sink threw: ${String(error)}`);
    }
  }
}

async function preflight(
  sandboxes: SandboxProvider | null,
  signal: AbortSignal | undefined,
): Promise<Capabilities> {
  if (sandboxes === null) throw noSandboxes();
  const report = await sandboxes.preflight(signal);
  if (!report.ok) throw notReady(sandboxes.id, report);
  return report.capabilities;
}

function noSandboxes(): HermesError {
  return new HermesError(
    'config',
    'SANDBOX_NOT_READY',
    'This environment runs its items in a sandbox, and the run has no sandbox provider: give one as `sandboxes`',
  );
}

function notReady(id: string, report: PreflightReport): HermesError {
  const problems = report.problems.map(({ message, fix }) => `${message} (${fix})`).join('; ');
  return new HermesError(
    'config',
    'SANDBOX_NOT_READY',
    `The sandbox provider ${id} cannot be used here: ${problems}`,
  );
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
