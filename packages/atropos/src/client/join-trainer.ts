import type {
  Effects,
  EnvironmentRegistration,
  RegisterResult,
  TrainerSink,
} from '@hermes/protocol';
import { withDefaultEffects } from '../_effects.ts';
import { TrainerError } from '../trainer-error.ts';
import { describeSizes } from './describe-sizes.ts';

/** An environment that a trainer knows, and what it said of itself. */
export type JoinedTrainer = Omit<Extract<RegisterResult, { status: 'registered' }>, 'status'> &
  Readonly<{
    /** Sequences; null = the trainer has not said. */
    batchSize: number | null;
    maxTokens: number | null;
  }>;

export type JoinOptions = Readonly<{
  signal: AbortSignal;
  /** How long to wait for a trainer; default: without end. */
  timeoutMs?: number;
  /** Between two questions. Default 1,000. */
  pollMs?: number;
  effects?: Partial<Effects>;
}>;

/** How often a long wait is spoken of. */
const REMIND_MS = 30_000;

/**
 * Waits until a trainer is there, registers, and asks for its sizes. Also the way back after NOT_REGISTERED: the environment then has a new
 * id. Throws TIMEOUT, CANCELLED, or CONFIG when groups of this size can never make a batch.
 */
export async function joinTrainer(
  trainer: TrainerSink,
  registration: EnvironmentRegistration,
  options: JoinOptions,
): Promise<JoinedTrainer> {
  const { clock, logger } = withDefaultEffects(options.effects);
  const { signal } = options;
  const { status: _status, ...joined } = await waitForTrainer(trainer, registration, options);
  const sizes = await trainer.trainerInfo(signal);
  const problem = describeSizes(registration.groupSize, sizes.batchSize);
  if (problem?.isFatal) {
    await trainer.disconnect(joined.environmentId);
    throw new TrainerError('CONFIG', problem.message);
  }
  if (problem) logger.log('warn', problem.message);
  logger.log('info', `Registered as ${joined.name} at step ${joined.step}`, {
    wallMs: clock.now().wallMs,
  });
  return { ...joined, ...sizes };
}

async function waitForTrainer(
  trainer: TrainerSink,
  registration: EnvironmentRegistration,
  options: JoinOptions,
): Promise<Extract<RegisterResult, { status: 'registered' }>> {
  const { clock, logger } = withDefaultEffects(options.effects);
  const { signal, pollMs = 1000, timeoutMs = Number.POSITIVE_INFINITY } = options;
  const startMs = clock.now().monoMs;
  let remindMs = startMs;
  for (;;) {
    const asked = await askOnce(trainer, registration, signal);
    if (typeof asked === 'object') return asked;
    const nowMs = clock.now().monoMs;
    if (nowMs - startMs >= timeoutMs)
      throw new TrainerError('TIMEOUT', `No trainer after ${timeoutMs} ms: ${asked}`);
    if (nowMs >= remindMs) {
      logger.log('info', `Waiting for a trainer: ${asked}`);
      remindMs = nowMs + REMIND_MS;
    }
    await clock.sleep(pollMs, signal);
  }
}

/** What is still missing, as a text; or the registration. */
async function askOnce(
  trainer: TrainerSink,
  registration: EnvironmentRegistration,
  signal: AbortSignal,
): Promise<Extract<RegisterResult, { status: 'registered' }> | string> {
  try {
    const result = await trainer.registerEnvironment(registration, signal);
    if (result.status === 'registered') return result;
    return 'the server is there, but no trainer has called POST /register and then GET /batch yet.';
  } catch (error) {
    const mayCome = error instanceof TrainerError && error.retryable && !signal.aborted;
    if (mayCome) return error.message;
    throw error;
  }
}
