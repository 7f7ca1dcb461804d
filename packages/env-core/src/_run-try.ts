import type { ChatModel, Errored, Message, RolloutRecord, RolloutTry } from '@hermes/protocol';
import { playAgent } from './_agent-phase.ts';
import { classify, erroredAs, RolloutFailure } from './_classify.ts';
import { DeadlineError, unlessAborted } from './_deadline.ts';
import { closeTry } from './_dispose-phase.ts';
import { keepWork } from './_keep-work.ts';
import type { RunContext } from './_run-context.ts';
import type { TryNeeds } from './_sandbox-phase.ts';
import { openSandbox, readNeeds } from './_sandbox-phase.ts';
import { setUp } from './_setup-phase.ts';
import { type Outcome, recordOf } from './_try-record.ts';
import { inPhase, openTry, type TryState } from './_try-state.ts';
import { verify } from './_verify-phase.ts';
import type { Trial } from './run-options.ts';

/** One try of a trial, from its first event to its record. Never rejects; all that it opened is closed. */
export async function runTry<Data>(
  context: RunContext<Data>,
  trial: Trial<Data>,
  earlier: readonly RolloutTry[],
  rolloutId: string,
): Promise<RolloutRecord> {
  const state = openTry(context, trial, earlier, rolloutId) as TryState<unknown>;
  emitStart(state);
  const played = await play(state);
  await inPhase(state, 'dispose', async () => {
    if ('errored' in played) await keepWork(state, played.errored);
    await closeTry(state);
  });
  const outcome = withExitReason(state, played);
  const record = recordOf(state, outcome);
  emitEnd(state, outcome, record.status);
  return record;
}

async function play(state: TryState<unknown>): Promise<Outcome> {
  try {
    const { messages, needs } = await prepare(state);
    const sandbox = needs.agent && (await openSandbox(state, 'agent', needs.agent));
    const resources = await inPhase(state, 'setup', () =>
      as(state, 'setup_failed', () => setUp(state, sandbox, messages)),
    );
    state.modelAsked = true;
    const agent = await inPhase(state, 'agent', () => playAgent(state, messages, resources));
    const verifier = needs.verifier && (await openSandbox(state, 'verifier', needs.verifier));
    return { reward: await verify(state, agent, { agent: sandbox, verifier }) };
  } catch (error) {
    return { errored: erroredOf(state, error) };
  }
}

/** What needs neither sandbox nor token: the prompt, the model, and what the item asks for. */
async function prepare(
  state: TryState<unknown>,
): Promise<Readonly<{ messages: readonly Message[]; needs: TryNeeds }>> {
  state.scope.signal.throwIfAborted();
  const { signal } = state.scope;
  const needs = await as(state, 'item_invalid', () => readNeeds(state));
  const messages = await as(state, 'prompt_failed', () =>
    unlessAborted(signal, promptOf(state), () => undefined),
  );
  state.model = await as(state, 'internal', () =>
    unlessAborted(signal, openModel(state), (late) => late.close?.()),
  );
  return { messages, needs };
}

async function openModel(state: TryState<unknown>): Promise<ChatModel> {
  const { environment, model } = state.context.options;
  const { item, identity, seeds, split } = state.trial;
  return model.open({
    rolloutId: state.rolloutId,
    identity,
    seeds,
    split,
    signal: state.scope.signal,
    solution: async () => (await environment.solution?.(item)) ?? null,
  });
}

async function promptOf(state: TryState<unknown>): Promise<readonly Message[]> {
  const { environment, systemPrompt } = state.context.options;
  const messages = await environment.prompt(state.trial.item);
  if (systemPrompt === undefined) return messages;
  const rest = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  return [{ role: 'system', content: systemPrompt }, ...rest];
}

/** Names the environment's cause for what this step throws, unless the error knows better. */
async function as<T>(
  state: TryState<unknown>,
  cause: 'item_invalid' | 'prompt_failed' | 'setup_failed' | 'internal',
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (state.scope.signal.aborted) throw error;
    throw new RolloutFailure(
      classify(error, (info) => ({ reason: 'environment', cause, error: info })),
      error,
    );
  }
}

/** An abort explains all that failed after it; only then the error itself is asked. */
function erroredOf(state: TryState<unknown>, error: unknown): Errored {
  const { signal } = state.scope;
  if (signal.aborted) return abortedAs(state, signal.reason);
  return classify(error, (info) => ({ reason: 'environment', cause: 'internal', error: info }));
}

function abortedAs(state: TryState<unknown>, reason: unknown): Errored {
  if (state.context.options.signal?.aborted)
    return erroredAs('cancelled', 'run_cancelled', 'The run was cancelled');
  if (reason instanceof DeadlineError) {
    const message = `The rollout was not over within ${reason.limitMs} ms`;
    return erroredAs('timeout', 'rollout_deadline', message);
  }
  const lost = (message: string) => erroredAs('sandbox', 'sandbox_lost', message);
  return classify(reason, (info) => lost(`The sandbox is gone: ${info.message}`));
}

/** What killed a sandbox is known only when it was asked for its end. */
function withExitReason(state: TryState<unknown>, outcome: Outcome): Outcome {
  if (!('errored' in outcome) || outcome.errored.cause !== 'sandbox_lost') return outcome;
  if (!state.reports.some((report) => report.exitReason === 'oom')) return outcome;
  const { error } = outcome.errored;
  return { errored: { reason: 'sandbox', cause: 'sandbox_oom', error } };
}

function emitStart(state: TryState<unknown>): void {
  const { context, trial, earlier } = state;
  state.emit({
    type: 'rollout_start',
    runId: context.runId,
    trialKey: trial.trialKey,
    identity: trial.identity,
    try: earlier.length + 1,
    groupId: trial.groupId,
    seeds: trial.seeds,
    versions: context.versions,
  });
}

function emitEnd(
  state: TryState<unknown>,
  outcome: Outcome,
  status: RolloutRecord['status'],
): void {
  const reward = 'reward' in outcome ? outcome.reward : null;
  const errored = 'errored' in outcome ? outcome.errored : null;
  state.emit({ type: 'rollout_end', status, reward, errored });
}
