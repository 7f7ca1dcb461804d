import { setTimeout as sleep } from 'node:timers/promises';
import { checkBatch } from './check-batch.ts';
import { rawRequest } from './raw-request.ts';

export type FakeTrainerOptions = Readonly<{
  baseUrl: string;
  /** In sequences. */
  batchSize: number;
  /** It ends after so many batches; default: when it is stopped. */
  steps?: number;
  maxTokens?: number;
  /** Between two questions while there is no batch. Default 20. */
  pollMs?: number;
  /** Called with each batch, in the names of the wire. */
  onBatch?: (batch: readonly unknown[]) => void;
}>;

/** What it got. */
export type TrainerReport = Readonly<{
  steps: number;
  groups: number;
  sequences: number;
  /** Everything that a trainer could not have trained on, one sentence each. */
  problems: readonly string[];
}>;

export interface FakeTrainer extends AsyncDisposable {
  /** Environments may register now. */
  readonly started: Promise<void>;
  readonly done: Promise<TrainerReport>;
  /** Ends it after the request that is under way. */
  stop(): Promise<TrainerReport>;
}

/** A trainer that registers, takes batches, checks every sequence, and counts. A server that is gone for a while is asked again. */
export function startFakeTrainer(options: FakeTrainerOptions): FakeTrainer {
  const ended = new AbortController();
  const hasStarted = new AbortController();
  const done = train(options, ended.signal, () => hasStarted.abort());
  const started = new Promise<void>((resolve, reject) => {
    hasStarted.signal.addEventListener('abort', () => resolve());
    // whoever only waits for the start hears of an early end too
    done.then(() => resolve(), reject);
  });
  started.catch(() => undefined); // the same error comes out of `done`
  const stop = () => {
    ended.abort();
    return done;
  };
  return {
    started,
    done,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

async function train(
  options: FakeTrainerOptions,
  signal: AbortSignal,
  onStarted: () => void,
): Promise<TrainerReport> {
  const { baseUrl, steps: wanted = Number.POSITIVE_INFINITY, pollMs = 20, onBatch } = options;
  const report = { steps: 0, groups: 0, sequences: 0, problems: [] as string[] };
  await rawRequest(baseUrl, { path: '/register', body: registrationOf(options) });
  while (report.steps < wanted && !signal.aborted) {
    const batch = await nextBatch(baseUrl);
    onStarted();
    if (batch === null) {
      await sleep(pollMs);
      continue;
    }
    const checked = checkBatch(batch, options.batchSize);
    report.steps += 1;
    report.groups += batch.length;
    report.sequences += checked.sequences;
    report.problems.push(...checked.problems);
    onBatch?.(batch);
  }
  return report;
}

async function nextBatch(baseUrl: string): Promise<readonly unknown[] | null> {
  const answer = await rawRequest(baseUrl, { path: '/batch' }).catch(serverIsGone);
  return (answer?.body as { batch?: readonly unknown[] | null } | undefined)?.batch ?? null;
}

function serverIsGone(): null {
  return null;
}

function registrationOf({ batchSize, maxTokens = 4096, steps = 1000 }: FakeTrainerOptions) {
  return {
    wandb_group: 'fake',
    wandb_project: 'fake',
    batch_size: batchSize,
    max_token_len: maxTokens,
    checkpoint_dir: '',
    save_checkpoint_interval: 10,
    starting_step: 0,
    num_steps: Number.isFinite(steps) ? steps : 1000,
  };
}
