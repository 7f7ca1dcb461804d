import type {
  EnvironmentRegistration,
  RegisterResult,
  ScoredGroup,
  SendResult,
  TrainerSink,
  TrainerStatus,
} from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { DeadlineError, withDeadline, within } from '../_deadline.ts';
import type { OpenRun } from '../_run-scope.ts';

const LEAVE_MS = 5_000;
const ASK_AGAIN_MS = 1_000;

/** The trainer as it has taken this environment in. */
export type Joined = Extract<RegisterResult, { status: 'registered' }>;

/** What a trainer says of its batches; null = nothing yet. */
export type TrainerInfo = Readonly<{ batchSize: number | null; maxTokens: number | null }>;

/** What became of a group on its way. lost: it was not sent, and the trainer must be joined anew. unknown: it may have arrived. */
export type Delivery = SendResult | Readonly<{ status: 'lost' } | { status: 'unknown' }>;

/** The connection with a trainer that may go away and come back at any time. */
export type TrainerLink = Readonly<{
  /** Registers as soon as there is a trainer. Throws NO_TRAINER when the wait was too long, and what cannot get better by waiting. */
  join: () => Promise<Joined>;
  /** null: the trainer is lost. */
  status: () => Promise<TrainerStatus | null>;
  /** What it has said of its batches by now; null: it is lost. */
  info: () => Promise<TrainerInfo | null>;
  /** Says of a group whether the trainer had taken it last when this was called; of none where it cannot tell. */
  lastTaken: () => Promise<(group: ScoredGroup) => boolean>;
  send: (group: ScoredGroup) => Promise<Delivery>;
  /** Says goodbye where it is registered. Bounded in time; never rejects. */
  leave: () => Promise<void>;
}>;

/** Does nothing before the first call. */
export function openTrainerLink(
  trainer: TrainerSink,
  registration: EnvironmentRegistration,
  { waitMs, callMs }: Readonly<{ waitMs: number; callMs: number }>,
  { context, signal }: OpenRun<unknown>,
): TrainerLink {
  const { alarms, effects } = context;
  const { clock, logger } = effects;
  let joined: Joined | null = null;
  let step = 0;
  const tell = (state: 'waiting' | 'joined' | 'lost', at: number | null, message: string) =>
    context.announce({ type: 'trainer', state, step: at, message });
  const call = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withDeadline(alarms, callMs, signal, work);
  const register = async (): Promise<Joined | string> => {
    const answer = await call((own) => trainer.registerEnvironment(registration, own));
    return answer.status === 'registered' ? answer : NOT_STARTED;
  };
  const whyNotYet = (error: unknown): string => {
    if (signal.aborted || !isLoss(error)) throw error;
    return messageOf(error);
  };
  /** The trainer is given up until it is joined again; other errors than its own go on to the caller. */
  const unlessLost = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (signal.aborted || !isLoss(error)) throw error;
      tell('lost', null, `The trainer is lost: ${messageOf(error)}`);
      joined = null;
      return null;
    });
  const status = async () => {
    const answer = await call((own) => trainer.status(idOf(joined), own));
    if (answer.step < step) throw anotherRun(step, answer.step);
    step = answer.step;
    return answer;
  };
  const join = async () => {
    const sinceMs = clock.now().monoMs;
    let told = '';
    for (;;) {
      const answer = await register().catch(whyNotYet);
      if (typeof answer === 'object') {
        joined = answer;
        step = joined.step;
        tell('joined', step, `The trainer has taken this environment in as ${joined.name}`);
        return joined;
      }
      if (clock.now().monoMs - sinceMs >= waitMs) throw noTrainer(waitMs, answer);
      if (answer !== told) tell('waiting', null, `Waiting for a trainer: ${answer}`);
      told = answer;
      await clock.sleep(ASK_AGAIN_MS, signal);
    }
  };
  return {
    join,
    status: async () => (joined === null ? null : unlessLost(status())),
    info: () => unlessLost(call((own) => trainer.trainerInfo(own))),
    lastTaken: async () => {
      const asked = call(async (own) => (await trainer.lastTaken?.(own)) ?? none);
      return (await unlessLost(asked)) ?? none;
    },
    send: async (group) => {
      if (joined === null) return { status: 'lost' };
      const sending = call((own) => trainer.send(idOf(joined), [group], own));
      try {
        const [result] = await sending;
        return result ?? { status: 'unknown' };
      } catch (error) {
        if (isUnknownDelivery(error) && !signal.aborted) return { status: 'unknown' };
        return (await unlessLost(Promise.reject(error))) ?? { status: 'lost' };
      }
    },
    leave: async () => {
      if (joined === null) return;
      const id = joined.environmentId;
      joined = null;
      await within(alarms, Math.min(LEAVE_MS, callMs), trainer.disconnect(id)).catch(
        (error: unknown) =>
          logger.log('warn', `The trainer did not hear the goodbye: ${String(error)}`),
      );
    },
  };
}

const NOT_STARTED =
  'it has to register (POST /register) and to ask for its first batch (GET /batch)';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function none(): boolean {
  return false;
}

function idOf(joined: Joined | null): number {
  if (joined === null) throw new Error('The trainer was not joined');
  return joined.environmentId;
}

/** What waiting may mend: no connection, no answer in time, a trainer that was started anew. */
function isLoss(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  if (!HermesError.isInstance(error) || error.boundary !== 'trainer') return false;
  return error.retryable || error.code === 'UNKNOWN_ENVIRONMENT' || error.code === 'NOT_REGISTERED';
}

/** The client has sent it and got no answer, and the trainer could not tell a second one from the first. */
function isUnknownDelivery(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  return HermesError.isInstance(error) && error.code === 'DELIVERY_UNKNOWN';
}

/** It has the number of an environment that another one may have by now. */
function anotherRun(before: number, now: number): HermesError {
  const message = `The trainer was at step ${before} and is at ${now}: it was started anew`;
  return new HermesError('trainer', 'NOT_REGISTERED', message, { retryable: true });
}

function noTrainer(waitMs: number, why: string): HermesError {
  const message = `No trainer within ${Math.round(waitMs / 1000)} s: start one, and check the address of the trajectory API (${why})`;
  return new HermesError('trainer', 'NO_TRAINER', message, { retryable: true });
}
