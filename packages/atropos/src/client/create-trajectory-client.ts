import type { Effects, TrajectoryApi } from '@hermes/protocol';
import { withDefaultEffects } from '../_effects.ts';
import { TrainerError } from '../trainer-error.ts';
import { type AskContext, ask } from './ask.ts';
import { askStatus } from './ask-status.ts';
import { groupFromWire } from './group-from-wire.ts';
import { createConnection } from './http-connection.ts';
import { lastTaken } from './last-taken.ts';
import { registerAt } from './register-at.ts';
import { createRegistrations } from './registrations.ts';
import { ifNotDone } from './retry.ts';
import { sendGroups } from './send-groups.ts';
import {
  batchSchema,
  disconnectedSchema,
  infoSchema,
  trackingSchema,
  trainerSchema,
} from './wire-schemas.ts';

export type TrajectoryClientOptions = Readonly<{
  /** Where the trajectory server listens, such as http://localhost:8000. */
  baseUrl: string;
  /** For one request, up to the end of its answer. Default 30,000. */
  timeoutMs?: number;
  /** What the server wants to be borne (`Authorization: Bearer`). Default: nothing. */
  token?: string;
  /** Of one request, the first included. Default 3. */
  maxTries?: number;
  /** Before the second try; doubles, half of it random. Default 500. */
  retryDelayMs?: number;
  effects?: Partial<Effects>;
}>;

/** Both sides of the trajectory API over HTTP. Throws `TrainerError` alone. */
export interface TrajectoryClient extends TrajectoryApi {
  readonly baseUrl: string;
  /** What the trainer calls its run at a tracking service; nulls while there is no trainer. */
  trackingInfo(
    signal: AbortSignal,
  ): Promise<Readonly<{ group: string | null; project: string | null }>>;
  /** Drops the kept connections. Idempotent. */
  close(): void;
}

/** The client does no I/O before its first call. */
export function createTrajectoryClient(options: TrajectoryClientOptions): TrajectoryClient {
  const effects = withDefaultEffects(options.effects);
  const timeoutMs = options.timeoutMs ?? 30_000;
  const connection = createConnection(options.baseUrl, { timeoutMs, token: options.token ?? null });
  const context: AskContext = {
    connection,
    maxTries: options.maxTries ?? 3,
    retryDelayMs: options.retryDelayMs ?? 500,
    effects,
  };
  const registrations = createRegistrations();

  return {
    baseUrl: options.baseUrl,
    registerEnvironment: (registration, signal) =>
      registerAt(context, registrations, registration, signal),
    async trainerInfo(signal) {
      const path = '/info';
      const { value } = await ask(context, { method: 'GET', path, signal, schema: infoSchema });
      return { batchSize: known(value.batch_size), maxTokens: known(value.max_token_len) };
    },
    async trackingInfo(signal) {
      const path = '/wandb_info';
      return (await ask(context, { method: 'GET', path, signal, schema: trackingSchema })).value;
    },
    status: (environmentId, signal) => askStatus(context, registrations, environmentId, signal),
    send: (environmentId, groups, signal) =>
      sendGroups(context, registrations, environmentId, groups, signal),
    lastTaken: (signal) => lastTaken(context, signal),
    async disconnect(environmentId) {
      registrations.forget(environmentId);
      const body = Buffer.from(JSON.stringify({ env_id: environmentId }));
      const signal = AbortSignal.timeout(timeoutMs);
      const question = { method: 'POST', path: '/disconnect-env', body, signal } as const;
      await ask(context, { ...question, schema: disconnectedSchema });
    },
    async registerTrainer(registration, signal) {
      const body = Buffer.from(
        JSON.stringify({
          wandb_group: registration.group,
          wandb_project: registration.project,
          batch_size: registration.batchSize,
          max_token_len: registration.maxTokens,
          checkpoint_dir: registration.checkpointDir,
          save_checkpoint_interval: registration.checkpointEvery,
          starting_step: registration.startingStep,
          num_steps: registration.totalSteps,
        }),
      );
      const question = { method: 'POST', path: '/register', body, signal } as const;
      const { answer } = await ask(context, {
        ...question,
        schema: trainerSchema,
      });
      return { uuid: /"uuid"\s*:\s*(\d+)/.exec(answer.text)?.[1] ?? '' };
    },
    async takeBatch(signal) {
      const question = { method: 'GET', path: '/batch', signal, mayRepeat: ifNotDone } as const;
      const { value } = await ask(context, { ...question, schema: batchSchema });
      if ('status' in value)
        throw new TrainerError('NOT_REGISTERED', `GET /batch: ${value.message}`);
      return value.batch?.map((group) => groupFromWire(group, effects.newId)) ?? null;
    },
    async reset(signal) {
      const question = { method: 'GET', path: '/reset_data', signal } as const;
      const answer = await connection.send(question);
      if (answer?.status !== 200)
        throw new TrainerError('REFUSED', `GET /reset_data was answered with ${answer?.status}.`);
    },
    close: () => connection.close(),
  };
}

/** The wire says -1 for what a trainer has not said yet. */
function known(value: number): number | null {
  return value < 0 ? null : value;
}
