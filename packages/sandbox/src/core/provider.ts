import { randomBytes } from 'node:crypto';
import type { Effects } from '@hermes/protocol';
import type {
  Capabilities,
  CreateOptions,
  DriverCreateOptions,
  DriverSandbox,
  LabelFilter,
  PreflightReport,
  Sandbox,
  SandboxDriver,
  SandboxProvider,
  SandboxRef,
  SandboxSpec,
} from '../types.ts';
import type { CoreSandbox } from './core-sandbox.ts';
import { abortable } from './deadline.ts';
import { cancelledError, messageOf, toSandboxError, unsupported } from './errors.ts';
import { LABEL, matchesLabels, sandboxLabels } from './labels.ts';
import { providerCapabilities } from './narrow-capabilities.ts';
import { openSandbox } from './open-sandbox.ts';
import type { SupervisorChoice } from './open-supervisor.ts';
import { thisOwner } from './owner.ts';
import { checkPolicy, onlyLimits, withoutLimits } from './policy.ts';
import { reapSandboxes } from './reap.ts';
import { type CoreEffects, systemEffects } from './system-effects.ts';

/** supervisor: which of the two programs runs inside; default auto: the Go program, and the sh script where that cannot run. */
export type DriverProviderOptions = Readonly<{ supervisor?: SupervisorChoice }>;

type ProviderContext = Readonly<{
  driver: SandboxDriver;
  effects: CoreEffects;
  choice: SupervisorChoice;
  capabilities: Capabilities;
  /** The sandboxes of this provider object that are in use, by id. */
  live: Map<string, CoreSandbox>;
}>;

/** A whole provider out of a driver: everything but the driver's few primitives is done here. */
export function createProviderFromDriver(
  driver: SandboxDriver,
  effects: Partial<Effects> = {},
  options: DriverProviderOptions = {},
): SandboxProvider {
  const live = new Map<string, CoreSandbox>();
  const choice = options.supervisor ?? 'auto';
  const capabilities = providerCapabilities(driver.capabilities, choice);
  const context: ProviderContext = {
    driver,
    effects: systemEffects(effects),
    choice,
    capabilities,
    live,
  };
  const list = (filter: LabelFilter = {}) => listSandboxes(driver, filter);
  const destroy = (ref: SandboxRef) => destroySandbox(context, ref);
  const nowMs = () => context.effects.clock.now().wallMs;
  return {
    specificationVersion: 'v1',
    id: driver.id,
    capabilities,
    preflight: (signal) => preflight(context, signal),
    create: (spec, createOptions = {}) => createSandbox(context, spec, createOptions),
    attach: (ref, signal) => attachSandbox(context, ref, signal),
    list,
    destroy,
    reap: (policy) => reapSandboxes({ list, destroy, nowMs }, policy),
    close: async () => {
      for (const sandbox of [...live.values()]) sandbox.detach();
      await driver.close?.();
    },
  };
}

async function preflight(
  { driver, choice }: ProviderContext,
  signal?: AbortSignal,
): Promise<PreflightReport> {
  try {
    const report = await driver.preflight(signal);
    return { ...report, capabilities: providerCapabilities(report.capabilities, choice) };
  } catch (cause) {
    const fix = 'look at the cause, then try again';
    const problem = { code: 'PREFLIGHT', message: messageOf(cause), fix };
    const capabilities = providerCapabilities(driver.capabilities, choice);
    return { ok: false, problems: [problem], capabilities };
  }
}

async function createSandbox(
  context: ProviderContext,
  spec: SandboxSpec,
  options: CreateOptions,
): Promise<Sandbox> {
  const { driver } = context;
  const unmet = checkPolicy(spec, context.capabilities, driver.id);
  if (options.signal?.aborted) throw cancelledError(`create a sandbox at ${driver.id}`);
  const driverOptions = { ...options, wishedLimits: onlyLimits(spec, unmet) };
  const inner = await createInner(context, withoutLimits(spec, unmet), driverOptions);
  options.onProgress?.({ phase: 'start' });
  try {
    const sandbox = await openTracked(context, inner, spec, options.signal);
    options.onProgress?.({ phase: 'ready' });
    return sandbox;
  } catch (cause) {
    await removeHalf(context, inner);
    throw describe(cause, `create a sandbox at ${driver.id}`, options.signal);
  }
}

/** A driver that does not heed the signal is not waited for: what it makes later is removed. */
async function createInner(
  context: ProviderContext,
  spec: SandboxSpec,
  options: DriverCreateOptions,
): Promise<DriverSandbox> {
  const making = context.driver.create(driverSpec(context, spec), options);
  try {
    return await abortable(making, options.signal);
  } catch (cause) {
    if (options.signal?.aborted)
      void making.then(
        (late) => removeHalf(context, late),
        () => undefined,
      );
    throw describe(cause, `create a sandbox at ${context.driver.id}`, options.signal);
  }
}

/** What a driver is told: labels complete, and no secrets, which only commands get. */
function driverSpec({ effects }: ProviderContext, spec: SandboxSpec): SandboxSpec {
  const { secrets: _secrets, ...open } = spec;
  const now = effects.clock.now().wallMs;
  const labels = sandboxLabels(spec.labels, thisOwner(), now, spec.lifetimeMs);
  const token = randomBytes(16).toString('hex');
  return { ...open, labels: { ...labels, [LABEL.channel]: token } };
}

async function openTracked(
  context: ProviderContext,
  inner: DriverSandbox,
  spec: SandboxSpec | null,
  signal: AbortSignal | undefined,
): Promise<CoreSandbox> {
  const { live } = context;
  const onEnd = () => void live.delete(inner.ref.id);
  const opening = openSandbox(inner, { ...context, spec, signal, onEnd });
  const sandbox = await abortable(opening, signal).catch((cause) => {
    void opening.then(
      (late) => late.detach(),
      () => undefined,
    );
    throw cause;
  });
  if (!sandbox.gone.aborted) live.set(inner.ref.id, sandbox);
  return sandbox;
}

async function removeHalf(
  { driver, effects }: ProviderContext,
  inner: DriverSandbox,
): Promise<void> {
  try {
    await driver.destroy(inner.ref);
  } catch (cause) {
    const fields = { sandbox: inner.ref.id, error: messageOf(cause) };
    effects.logger.log('warn', 'half a sandbox could not be removed; the reaper will', fields);
  }
}

/** One that this provider holds already is the same object: a sandbox has one line to its supervisor. */
async function attachSandbox(
  context: ProviderContext,
  ref: SandboxRef,
  signal: AbortSignal | undefined,
): Promise<Sandbox> {
  const { driver, live } = context;
  const held = live.get(ref.id);
  if (!(held ?? context).capabilities.reattach)
    throw unsupported(`attach to ${ref.id}: provider ${driver.id} cannot`);
  if (held !== undefined) return held;
  const attempted = `attach to ${ref.id} at ${driver.id}`;
  try {
    const inner = await abortable(driver.attach(ref, signal), signal);
    return await openTracked(context, inner, null, signal);
  } catch (cause) {
    throw describe(cause, attempted, signal);
  }
}

async function* listSandboxes(
  driver: SandboxDriver,
  filter: LabelFilter,
): AsyncIterable<SandboxRef> {
  for await (const ref of driver.list(filter))
    if (matchesLabels(ref.labels, filter.labels)) yield ref;
}

async function destroySandbox({ driver, live }: ProviderContext, ref: SandboxRef): Promise<void> {
  const sandbox = live.get(ref.id);
  if (sandbox !== undefined) return sandbox.destroyed();
  try {
    await driver.destroy(ref);
  } catch (cause) {
    throw toSandboxError(cause, `destroy ${ref.id} at ${driver.id}`);
  }
}

function describe(cause: unknown, attempted: string, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return cancelledError(attempted, cause);
  return toSandboxError(cause, attempted);
}
