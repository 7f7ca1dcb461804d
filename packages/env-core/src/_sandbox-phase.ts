import { onAbort } from '@hermes/agent-loop';
import type { SandboxReport } from '@hermes/protocol';
import type { Sandbox, SandboxSpec } from '@hermes/sandbox';
import { checkCapabilities, checkCommands } from './_check-needs.ts';
import { erroredAs, infoOf, RolloutFailure } from './_classify.ts';
import { DeadlineError, withDeadline } from './_deadline.ts';
import type { OwnedSandbox, TryState } from './_try-state.ts';
import { inPhase, startPhase } from './_try-state.ts';
import type { SandboxNeeds } from './environment.ts';

const DEFAULT_LIMIT_MS = 600_000;
/** For an agent without a deadline. */
const DEFAULT_AGENT_MS = 4 * 3_600_000;
const LIFETIME_MARGIN_MS = 600_000;

/** What agent and verifier ask for, checked against what the provider can do. null = no sandbox. */
export type TryNeeds = Readonly<{ agent: SandboxNeeds | null; verifier: SandboxNeeds | null }>;

/** Asks the environment what this item needs; refuses what the provider cannot do before anything exists. */
export async function readNeeds(state: TryState<unknown>): Promise<TryNeeds> {
  const { environment } = state.context.options;
  if (!environment.sandbox && !environment.verifierSandbox) return { agent: null, verifier: null };
  const offered = await state.context.capabilities();
  const { item } = state.trial;
  const agent = environment.sandbox?.(item, offered) ?? null;
  const verifier = environment.verifierSandbox?.(item, offered) ?? null;
  for (const needs of [agent, verifier]) {
    if (needs === null) continue;
    checkCapabilities(needs, offered, providerId(state));
    for (const mark of needs.marks ?? []) state.marks.add(mark);
  }
  return { agent, verifier };
}

/** Waits for a free place to create in (phase queue), then creates (phase sandbox) and looks for the needed commands. */
export async function openSandbox(
  state: TryState<unknown>,
  role: SandboxReport['role'],
  needs: SandboxNeeds,
): Promise<Sandbox> {
  const endQueue = startPhase(state, 'queue');
  try {
    return await state.context.limiters.sandboxCreates.run(() => {
      endQueue();
      return inPhase(state, 'sandbox', () => createSandbox(state, role, needs));
    }, state.scope.signal);
  } finally {
    endQueue();
  }
}

async function createSandbox(
  state: TryState<unknown>,
  role: SandboxReport['role'],
  needs: SandboxNeeds,
): Promise<Sandbox> {
  const key = `${state.rolloutId}.${role}`;
  state.emit({ type: 'sandbox_start', role, sandboxKey: key, provider: providerId(state) });
  try {
    const sandbox = await createInTime(state, key, needs);
    adopt(state, key, role, sandbox);
    checkCapabilities(needs, sandbox.capabilities, providerId(state));
    await checkCommands(sandbox, needs.commands ?? [], state.scope.signal);
    return sandbox;
  } catch (error) {
    if (!state.sandboxes.some((owned) => owned.key === key))
      state.emit({ type: 'sandbox_end', sandboxKey: key, report: null, error: infoOf(error) });
    throw error;
  }
}

async function createInTime(
  state: TryState<unknown>,
  key: string,
  needs: SandboxNeeds,
): Promise<Sandbox> {
  const limitMs = state.limits.startMs ?? DEFAULT_LIMIT_MS;
  const { alarms } = state.context;
  let creating: Promise<Sandbox> | null = null;
  try {
    return await withDeadline(alarms, limitMs, state.scope.signal, (signal) => {
      creating = startCreating(state, key, needs, signal);
      return creating;
    });
  } catch (error) {
    disposeLate(state, creating);
    if (error instanceof DeadlineError && !state.scope.signal.aborted)
      throw startTimeout(state, limitMs);
    throw error;
  }
}

function startCreating(
  state: TryState<unknown>,
  key: string,
  needs: SandboxNeeds,
  signal: AbortSignal,
): Promise<Sandbox> {
  const { sandboxes } = state.context.options;
  if (sandboxes === null) throw new Error('The run has no sandbox provider');
  return sandboxes.create(specOf(state, key, needs), {
    signal,
    onProgress: ({ phase, message = null, current = null, total = null }) =>
      state.emit({ type: 'sandbox_delta', sandboxKey: key, phase, message, current, total }),
  });
}

/** A create that was given up may still succeed; nobody else would remove what it made. */
function disposeLate(state: TryState<unknown>, creating: Promise<Sandbox> | null): void {
  const report = (error: unknown) =>
    state.context.effects.logger.log('debug', `A sandbox was given up: ${String(error)}`);
  void creating?.then((sandbox) => sandbox.dispose('abandoned')).catch(report);
}

function adopt(
  state: TryState<unknown>,
  key: string,
  role: SandboxReport['role'],
  sandbox: Sandbox,
): void {
  const owned: OwnedSandbox = { key, role, sandbox, ending: null };
  state.sandboxes.push(owned);
  const { imageDigest } = sandbox.info;
  if (imageDigest !== null) state.versions[`image.${role}`] = imageDigest;
  const lost = () => {
    if (owned.ending === null) state.scope.abort(sandbox.gone.reason);
  };
  if (sandbox.gone.aborted) lost();
  else onAbort(sandbox.gone, lost);
}

function specOf(state: TryState<unknown>, key: string, needs: SandboxNeeds): SandboxSpec {
  const { commands: _c, capabilities: _k, marks: _m, lifetimeMs, ...spec } = needs;
  const defaults = state.context.options.sandboxDefaults ?? {};
  return {
    ...(defaults.idleMs === undefined ? {} : { idleMs: defaults.idleMs }),
    ...spec,
    ...completed(defaults, spec),
    lifetimeMs: lifetimeMs ?? defaults.lifetimeMs ?? ownTimeMs(state),
    labels: { 'hermes.run': state.context.runId, 'hermes.trajectory': state.rolloutId },
    idempotencyKey: key,
  };
}

type Completed = Pick<SandboxSpec, 'resources' | 'env' | 'mounts'>;

/** Each limit and variable is the item's own where it has one. */
function completed({ resources, env, mounts }: Completed, own: Completed): Completed {
  return {
    ...(resources === undefined ? {} : { resources: { ...resources, ...own.resources } }),
    ...(env === undefined ? {} : { env: { ...env, ...own.env } }),
    ...(mounts === undefined ? {} : { mounts: [...mounts, ...(own.mounts ?? [])] }),
  };
}

/** The sandbox ends itself some time after the rollout must be over. */
function ownTimeMs({ limits }: TryState<unknown>): number {
  const phases = [limits.startMs, limits.setupMs, limits.verifyMs].map(
    (ms) => ms ?? DEFAULT_LIMIT_MS,
  );
  const sum = phases.reduce((a, b) => a + b, limits.agent?.deadlineMs ?? DEFAULT_AGENT_MS);
  return Math.min(limits.rolloutMs ?? sum, sum) + LIFETIME_MARGIN_MS;
}

function startTimeout(state: TryState<unknown>, limitMs: number): RolloutFailure {
  const message = `The sandbox provider ${providerId(state)} had no sandbox ready within ${limitMs} ms`;
  return new RolloutFailure(
    erroredAs('sandbox', 'env_start_timeout', message, { retryable: true }),
  );
}

function providerId(state: TryState<unknown>): string {
  return state.context.options.sandboxes?.id ?? 'none';
}
