import type { Gap, SandboxReport } from '@hermes/protocol';
import type { SandboxOutcome } from '@hermes/sandbox';
import { within } from './_deadline.ts';
import type { OwnedSandbox, TryState } from './_try-state.ts';

/** Of each thing that is closed. What takes longer goes on in the background, and the reaper looks after it. */
const CLOSE_LIMIT_MS = 30_000;
/** Who stops a run waits for it. */
const CANCELLED_CLOSE_LIMIT_MS = 5_000;

/** Closes all that the try opened, in reverse order. Never throws; runs to its end although cancelled. */
export async function closeTry(state: TryState<unknown>): Promise<void> {
  await closeToolsets(state);
  const { model } = state;
  state.segments = model?.segments?.() ?? [];
  if (model?.close) await bounded(state, 'the model', async () => model.close?.());
  await Promise.all(state.sandboxes.map((owned) => endSandbox(state, owned)));
  state.scope.close();
}

/** Ends the agent's sandbox with all that runs in it, before the end of the try. */
export async function retireAgent(state: TryState<unknown>): Promise<void> {
  await closeToolsets(state);
  const agents = state.sandboxes.filter(({ role }) => role === 'agent');
  await Promise.all(agents.map((owned) => endSandbox(state, owned)));
}

async function closeToolsets(state: TryState<unknown>): Promise<void> {
  for (const toolset of state.toolsets.splice(0).reverse())
    if (toolset.close) await bounded(state, 'a toolset', async () => toolset.close?.());
}

function endSandbox(state: TryState<unknown>, owned: OwnedSandbox): Promise<void> {
  // In a later step, so that a sandbox that is gone at once finds `ending` set.
  owned.ending ??= Promise.resolve().then(() => disposeSandbox(state, owned));
  return owned.ending;
}

async function disposeSandbox(state: TryState<unknown>, owned: OwnedSandbox): Promise<void> {
  const outcome = await bounded(state, 'the sandbox', () => owned.sandbox.dispose('rollout ended'));
  const report = reportOf(owned, outcome);
  state.reports.push(report);
  state.emit({ type: 'sandbox_end', sandboxKey: owned.key, report, error: null });
}

async function bounded<T>(
  state: TryState<unknown>,
  what: string,
  close: () => Promise<T>,
): Promise<T | null> {
  const { options, effects, alarms } = state.context;
  const limitMs = options.signal?.aborted ? CANCELLED_CLOSE_LIMIT_MS : CLOSE_LIMIT_MS;
  try {
    return await within(alarms, limitMs, close());
  } catch (error) {
    effects.logger.log('warn', `Closing ${what} of ${state.rolloutId} failed: ${String(error)}`);
    state.emit({
      type: 'gap',
      code: 'dispose_failed',
      invocationId: null,
      detail: `${what}: ${String(error)}`,
    });
    return null;
  }
}

const NOT_DISPOSED: readonly Gap[] = [{ code: 'dispose_failed' }];

function reportOf(owned: OwnedSandbox, outcome: SandboxOutcome | null): SandboxReport {
  const { info, ref } = owned.sandbox;
  return {
    role: owned.role,
    provider: info.provider,
    sandboxId: ref.id,
    isolation: info.isolation,
    image: info.image,
    exitReason: outcome?.exitReason ?? null,
    usage: outcome?.usage ?? null,
    gaps: outcome?.gaps ?? NOT_DISPOSED,
  };
}
