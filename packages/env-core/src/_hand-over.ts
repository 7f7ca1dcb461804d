import type { Sandbox } from '@hermes/sandbox';
import { retireAgent } from './_dispose-phase.ts';
import { openToolContext } from './_setup-phase.ts';
import type { TryState } from './_try-state.ts';

/** The sandboxes of a try at the end of its agent. verifier: null = it works in the agent's. */
export type TrySandboxes = Readonly<{ agent: Sandbox | null; verifier: Sandbox | null }>;

/** Brings what is graded into the verifier's own sandbox, and ends the agent's unless the environment wants it to go on. */
export async function handOver(
  state: TryState<unknown>,
  { agent, verifier }: TrySandboxes,
  signal: AbortSignal,
): Promise<void> {
  const { environment } = state.context.options;
  if (environment.handOver === undefined || agent === null || verifier === null) return;
  const { agentGoesOn } = await environment.handOver(
    state.trial.item,
    openToolContext(state, agent, signal),
    openToolContext(state, verifier, signal),
    signal,
  );
  signal.throwIfAborted();
  if (!agentGoesOn) await retireAgent(state);
}
