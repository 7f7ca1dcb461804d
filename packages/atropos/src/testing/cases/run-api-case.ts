import assert from 'node:assert/strict';
import { type RawAnswer, rawRequest } from '../raw-request.ts';

/** What differs between servers of the protocol. */
export type CaseOptions = Readonly<{
  baseUrl: string;
  /** `compat`: as `run-api` of atroposlib 0.4.0. `strict`: with its faults mended. */
  mode: 'compat' | 'strict';
  /** Whether `/status-env` takes the id from the query too. The original does not. */
  takesIdFromQuery: boolean;
}>;

/** One thing that a server of the protocol does. Rejects with an AssertionError when it does not. */
export type RunApiCase = Readonly<{
  number: number;
  title: string;
  /** It must be the first thing that happens to a server; the others begin with a reset. */
  needsFreshServer: boolean;
  run: (options: CaseOptions) => Promise<void>;
}>;

/** A server under test, with the requests that most cases begin with. */
export type Bench = Readonly<{
  options: CaseOptions;
  get: (path: string) => Promise<RawAnswer>;
  post: (path: string, body: unknown) => Promise<RawAnswer>;
  /** A trainer registers and asks for its first batch, so that environments may join. */
  start: (trainer?: object) => Promise<void>;
  join: (environment: object) => Promise<RawAnswer>;
  /** One group of each size from an environment; returns the bodies of the answers. */
  send: (environmentId: number, ...sizes: readonly number[]) => Promise<readonly unknown[]>;
  status: (environmentId: number) => Promise<RawAnswer>;
}>;

export const trainerBody = {
  wandb_group: 'g',
  wandb_project: 'p',
  batch_size: 4,
  max_token_len: 512,
  checkpoint_dir: 'checkpoints',
  save_checkpoint_interval: 10,
  starting_step: 0,
  num_steps: 100,
} as const;

export const environmentBody = {
  max_token_length: 512,
  desired_name: 'x',
  weight: 1,
  group_size: 2,
} as const;

export function defineCase(
  number: number,
  title: string,
  run: (bench: Bench) => Promise<void>,
  needsFreshServer = false,
): RunApiCase {
  const runOn = async (options: CaseOptions) => {
    const bench = createBench(options);
    if (!needsFreshServer) await bench.get('/reset_data');
    await run(bench);
  };
  return { number, title, needsFreshServer, run: runOn };
}

function createBench(options: CaseOptions): Bench {
  const get = (path: string) => rawRequest(options.baseUrl, { path });
  const post = (path: string, body: unknown) => rawRequest(options.baseUrl, { path, body });
  return {
    options,
    get,
    post,
    async start(trainer = {}) {
      await post('/register', { ...trainerBody, ...trainer });
      assert.deepEqual((await get('/batch')).body, { batch: null });
    },
    join: (environment) => post('/register-env', { ...environmentBody, ...environment }),
    async send(environmentId, ...sizes) {
      const answers: unknown[] = [];
      for (const size of sizes) {
        answers.push((await post('/scored_data', wireGroup(size, environmentId))).body);
      }
      return answers;
    },
    status: (environmentId) =>
      rawRequest(options.baseUrl, {
        method: 'GET',
        path: '/status-env',
        body: { env_id: environmentId },
      }),
  };
}

/** The body of a group, with the fields that every environment sends. The first token tells groups apart. */
export function wireGroup(size: number, environmentId: number, mark = 100): object {
  const sequences = Array.from({ length: size }, (_one, index) => [mark + index, 101, 102]);
  return {
    tokens: sequences,
    masks: sequences.map(() => [-100, 101, 102]),
    scores: sequences.map((_one, index) => index),
    inference_logprobs: sequences.map(() => [1, -0.25, -0.5]),
    env_id: environmentId,
  };
}

type WireBatch = Readonly<{ batch: readonly Readonly<{ tokens: readonly number[][] }>[] | null }>;

/** The groups of a batch; fails when there is none. */
export function groupsOf({
  body,
}: RawAnswer): readonly Readonly<{ tokens: readonly number[][] }>[] {
  const { batch } = body as WireBatch;
  assert.ok(batch, `no batch: ${JSON.stringify(body)}`);
  return batch;
}
