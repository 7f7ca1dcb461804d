import { HermesError } from '../errors.ts';
import type {
  EnvironmentRegistration,
  ScoredGroup,
  SendResult,
  TrainerRegistration,
  TrajectoryApi,
} from '../trainer.ts';

/** What a fake trainer can be asked to do at one of its routes: nothing, fail, hang, or fail after it has acted. */
export type TrainerRoute = 'registerEnvironment' | 'trainerInfo' | 'status' | 'send' | 'disconnect';

/** A trainer in memory. Batches are made in the order of arrival. */
export interface MemoryTrainer extends TrajectoryApi {
  /** Everything that was ever taken into the queue, in order, over all restarts. */
  readonly received: readonly ScoredGroup[];
  /** Calls of the routes in order: `send`, `status` and so on. */
  readonly calls: readonly TrainerRoute[];
  /** Names of the environments that are connected now. */
  connected(): readonly string[];
  /** Loses registrations and queue, as a process that died and came back. With a registration it starts at once. */
  restart(registration?: Partial<TrainerRegistration>): void;
  /** Takes batches while there are full ones; returns how many. */
  train(): Promise<number>;
}

/** Options of `memoryTrainer`. */
export type MemoryTrainerOptions = Readonly<{
  /** Registers a trainer that has started; null: none until `registerTrainer` and `takeBatch`. Default `{}`. */
  registration?: Partial<TrainerRegistration> | null;
  /** A text: refuse the group for this reason; null: take it. Default: takes all. */
  refuse?: (group: ScoredGroup) => string | null;
  /** Runs before a route does its work, `number` counting the calls of that route from 1; may throw, or never resolve. */
  before?: (route: TrainerRoute, number: number) => Promise<void> | void;
  /** Runs after the route's work and before its answer. */
  after?: (route: TrainerRoute, number: number) => Promise<void> | void;
}>;

type State = {
  registration: TrainerRegistration | null;
  started: boolean;
  step: number;
  queue: { readonly group: ScoredGroup; readonly environmentId: number }[];
  environments: {
    readonly registration: EnvironmentRegistration;
    name: string;
    connected: boolean;
  }[];
};

const DEFAULTS: TrainerRegistration = {
  group: 'group',
  project: 'project',
  batchSize: 8,
  maxTokens: 4_096,
  checkpointDir: '',
  checkpointEvery: 0,
  startingStep: 0,
  totalSteps: 1_000,
};

/** A trainer without a network, to test what feeds one. Nothing is accepted from who is not registered. */
export function memoryTrainer(options: MemoryTrainerOptions = {}): MemoryTrainer {
  let state = fresh(options.registration === undefined ? {} : options.registration);
  const received: ScoredGroup[] = [];
  const calls: TrainerRoute[] = [];
  const counts = new Map<TrainerRoute, number>();
  const at = async <T>(route: TrainerRoute, work: () => T): Promise<T> => {
    calls.push(route);
    const number = (counts.get(route) ?? 0) + 1;
    counts.set(route, number);
    await options.before?.(route, number);
    const answer = work();
    await options.after?.(route, number);
    return answer;
  };
  const environmentOf = (id: number) => {
    const environment = state.environments[id];
    if (environment === undefined)
      throw trainerError('UNKNOWN_ENVIRONMENT', `No environment ${id}`);
    return environment;
  };
  const take = (environmentId: number, group: ScoredGroup): SendResult => {
    const reason = options.refuse?.(group) ?? null;
    if (reason !== null) return { status: 'refused', reason };
    state.queue.push({ group, environmentId });
    received.push(group);
    return { status: 'received' };
  };
  const takeBatch = async () => {
    state.started = state.registration !== null;
    const batch = fullBatch(state);
    if (batch !== null) state.step += 1;
    return batch;
  };
  return {
    received,
    calls,
    connected: () => state.environments.filter((one) => one.connected).map((one) => one.name),
    restart: (registration) => {
      state = fresh(registration ?? null);
    },
    registerEnvironment: (registration) =>
      at('registerEnvironment', () => {
        if (!state.started || state.registration === null) return { status: 'wait' } as const;
        return { status: 'registered', ...enter(state, registration) } as const;
      }),
    trainerInfo: () =>
      at('trainerInfo', () => ({
        batchSize: state.registration?.batchSize ?? null,
        maxTokens: state.registration?.maxTokens ?? null,
      })),
    status: (environmentId) => at('status', () => statusOf(state, environmentId, environmentOf)),
    send: (environmentId, groups) =>
      at('send', () => {
        environmentOf(environmentId);
        return groups.map((group) => take(environmentId, group));
      }),
    disconnect: (environmentId) =>
      at('disconnect', () => {
        environmentOf(environmentId).connected = false;
      }),
    async registerTrainer(registration) {
      state.registration ??= registration;
      return { uuid: '1' };
    },
    takeBatch,
    async reset() {
      state = fresh(null);
    },
    async train() {
      let batches = 0;
      while ((await takeBatch()) !== null) batches += 1;
      return batches;
    },
  };
}

function fresh(registration: Partial<TrainerRegistration> | null): State {
  const full = registration && { ...DEFAULTS, ...registration };
  const step = full?.startingStep ?? 0;
  return { registration: full, started: full !== null, step, queue: [], environments: [] };
}

function enter(state: State, registration: EnvironmentRegistration) {
  const before = state.environments.filter((one) => one.registration.name === registration.name);
  const name = `${registration.name}_${before.length}`;
  state.environments.push({ registration, name, connected: true });
  const { checkpointDir, checkpointEvery, totalSteps } = state.registration ?? DEFAULTS;
  const environmentId = state.environments.length - 1;
  return { environmentId, name, step: state.step, totalSteps, checkpointDir, checkpointEvery };
}

function statusOf(
  state: State,
  environmentId: number,
  environmentOf: (id: number) => State['environments'][number],
) {
  const { registration } = environmentOf(environmentId);
  const own = state.queue.filter((one) => one.environmentId === environmentId);
  return {
    step: state.step,
    queuedGroups: state.queue.length,
    ownQueuedGroups: own.length,
    unallocatedShare: 1 - Math.min(1, registration.minBatchShare ?? 0),
    maxGroupSize: Math.max(1, ...state.queue.map(({ group }) => group.sequences.length)),
    weight: registration.weight,
  };
}

/** Groups from the front whose sequences make exactly one batch; null: there are not enough. */
function fullBatch(state: State): readonly ScoredGroup[] | null {
  const batchSize = state.registration?.batchSize ?? Number.POSITIVE_INFINITY;
  let sequences = 0;
  let count = 0;
  for (const { group } of state.queue) {
    if (sequences >= batchSize) break;
    sequences += group.sequences.length;
    count += 1;
  }
  if (sequences !== batchSize) return null;
  return state.queue.splice(0, count).map(({ group }) => group);
}

function trainerError(code: string, message: string): HermesError {
  return new HermesError('trainer', code, message);
}
