import type { AgentResult, Errored, Reward } from '@hermes/protocol';
import { classify, erroredAs, RolloutFailure, verdictErrored } from './_classify.ts';
import { DeadlineError, withDeadline } from './_deadline.ts';
import { handOver, type TrySandboxes } from './_hand-over.ts';
import { openToolContext } from './_setup-phase.ts';
import type { TryState } from './_try-state.ts';
import { inPhase } from './_try-state.ts';
import type { Verdict } from './environment.ts';

const DEFAULT_VERIFY_MS = 600_000;

/** Asks the environment for its verdict. Throws a RolloutFailure where there is none that could be a reward. */
export async function verify(
  state: TryState<unknown>,
  agent: AgentResult,
  sandboxes: TrySandboxes,
): Promise<Reward> {
  return state.context.limiters.verifiers.run(
    () => inPhase(state, 'verify', () => judge(state, agent, sandboxes)),
    state.scope.signal,
  );
}

async function judge(
  state: TryState<unknown>,
  agent: AgentResult,
  sandboxes: TrySandboxes,
): Promise<Reward> {
  state.emit({ type: 'verifier_start' });
  try {
    const verdict = await askInTime(state, agent, sandboxes);
    const reward = rewardOf(state, verdict);
    state.emit({ type: 'verifier_end', reward, errored: null });
    return reward;
  } catch (error) {
    if (state.scope.signal.aborted) throw error;
    const errored = classify(error, (info) => ({
      reason: 'verifier',
      cause: 'reward_threw',
      error: info,
    }));
    state.emit({ type: 'verifier_end', reward: null, errored });
    throw new RolloutFailure(errored, error);
  }
}

async function askInTime(
  state: TryState<unknown>,
  agent: AgentResult,
  sandboxes: TrySandboxes,
): Promise<Verdict> {
  const limitMs = state.limits.verifyMs ?? DEFAULT_VERIFY_MS;
  const { environment } = state.context.options;
  try {
    return await withDeadline(state.context.alarms, limitMs, state.scope.signal, async (signal) => {
      await handOver(state, sandboxes, signal);
      const tools = openToolContext(state, sandboxes.verifier ?? sandboxes.agent, signal);
      return environment.computeReward(state.trial.item, agent, tools, signal);
    });
  } catch (error) {
    if (!(error instanceof DeadlineError) || state.scope.signal.aborted) throw error;
    throw new RolloutFailure(timedOut(limitMs));
  }
}

function rewardOf(state: TryState<unknown>, verdict: Verdict): Reward {
  if (typeof verdict === 'number')
    return checked({ reward: verdict, rewards: { reward: verdict }, resolved: verdict >= 1 });
  if (verdict?.kind === 'reward') return rewardIn(state, verdict);
  if (verdict?.kind === 'could_not_score') throw new RolloutFailure(notScored(verdict));
  throw new RolloutFailure(missing(verdict));
}

function rewardIn(state: TryState<unknown>, verdict: Extract<Verdict, { kind: 'reward' }>): Reward {
  const { kind: _kind, marks = [], ...reward } = verdict;
  for (const mark of marks) state.marks.add(mark);
  return checked(reward);
}

/** A reward that is no finite number would poison every mean it gets into. */
function checked(reward: Reward): Reward {
  const all = Object.entries({ ...reward.rewards, reward: reward.reward });
  const bad = all.filter(([, value]) => !Number.isFinite(value));
  if (bad.length === 0 && typeof reward.resolved === 'boolean') return reward;
  const shown = bad.map(([key, value]) => `${key} = ${String(value)}`).join(', ');
  const message = shown ? `The reward is no finite number: ${shown}` : 'resolved is no boolean';
  throw new RolloutFailure(erroredAs('verifier', 'reward_unparsable', message));
}

function notScored(verdict: Extract<Verdict, { kind: 'could_not_score' }>): Errored {
  const { cause, message, details } = verdict;
  return verdictErrored(cause, {
    boundary: 'verifier',
    code: cause.toUpperCase(),
    message,
    retryable: false,
    ...(details === undefined ? {} : { details }),
  });
}

function missing(verdict: unknown): Errored {
  const message = `computeReward returned ${typeof verdict}, neither a number nor a verdict`;
  return erroredAs('verifier', 'reward_missing', message);
}

function timedOut(limitMs: number): Errored {
  return erroredAs('verifier', 'verifier_timeout', `No verdict within ${limitMs} ms`);
}
