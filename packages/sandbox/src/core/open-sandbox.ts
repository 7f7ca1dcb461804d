import type { Capabilities, DriverSandbox, SandboxDriver, SandboxSpec } from '../types.ts';
import { Activity } from './activity.ts';
import { CoreSandbox, type Expiry } from './core-sandbox.ts';
import { baseEnvironment } from './environment.ts';
import { goneError, messageOf, toSandboxError } from './errors.ts';
import { ExecEngine } from './exec-engine.ts';
import type { ExecDefaults } from './exec-request.ts';
import { frameTransport } from './file-transport.ts';
import { expiryOf, LABEL } from './labels.ts';
import { watchLifetime } from './lifetime.ts';
import type { Link } from './link.ts';
import { narrowCapabilities } from './narrow-capabilities.ts';
import { OomWatch, type ReadOomKills } from './oom-watch.ts';
import { openSupervisor, type SupervisorChoice } from './open-supervisor.ts';
import { checkPolicy } from './policy.ts';
import { SandboxEnd } from './sandbox-end.ts';
import { createFiles } from './sandbox-files.ts';
import { shellTransport } from './shell-transport.ts';
import type { CoreEffects } from './system-effects.ts';

export type OpenSandboxContext = Readonly<{
  driver: SandboxDriver;
  effects: CoreEffects;
  choice: SupervisorChoice;
  /** Null after attach: the spec is not known then. */
  spec: SandboxSpec | null;
  signal: AbortSignal | undefined;
  onEnd: () => void;
}>;

/** Opens the supervisor of a driver's sandbox and builds the sandbox over it. Throws SandboxError; the driver's sandbox is left to the caller then. */
export async function openSandbox(
  inner: DriverSandbox,
  context: OpenSandboxContext,
): Promise<CoreSandbox> {
  const { driver, effects, spec } = context;
  const opened: { link: Link | null } = { link: null };
  const end = new SandboxEnd({
    inner,
    link: () => opened.link,
    effects,
    destroy: () => driver.destroy(inner.ref),
    onEnd: context.onEnd,
  });
  const { clock } = effects;
  const token = inner.ref.labels[LABEL.channel] ?? inner.ref.id;
  const { choice, signal } = context;
  const onGone = end.lost.bind(end);
  const link = await openSupervisor({ inner, clock, signal, choice, token, onGone });
  opened.link = link;
  forwardGone(inner, link);
  const capabilities = narrowCapabilities(driver.capabilities, link.welcome.features);
  const unmetLimits = checkAgain(context, capabilities, link);
  const activity = new Activity(clock);
  const user = capabilities.users ? inner.user : undefined;
  const defaults = { ...execDefaults(inner, spec), ...(user === undefined ? {} : { user }) };
  const oom = await OomWatch.open(countsOom(driver.capabilities) ? oomCounter(inner) : null);
  const engine = new ExecEngine({ link, effects, defaults, oom, activity });
  const transport = link.has('files') ? frameTransport(link) : shellTransport(engine);
  const expiry = expiryFor(inner, spec, clock.now());
  watchEnd(context, activity, end, expiry);
  return new CoreSandbox({
    inner,
    link,
    effects,
    engine,
    defaults,
    end,
    expiry,
    files: createFiles({
      transport,
      workdir: defaults.workdir,
      activity,
      users: capabilities.users,
      user,
    }),
    capabilities,
    unmetLimits,
  });
}

/**
 * The limits that are not met, as `checkPolicy` says. The script may have come in for a program that cannot run here: what only
 * the program can keep was promised then, and is refused before the first command.
 */
function checkAgain(
  { driver, spec }: OpenSandboxContext,
  capabilities: Capabilities,
  link: Link,
): readonly string[] {
  if (spec === null) return [];
  try {
    return checkPolicy(spec, capabilities, driver.id);
  } catch (cause) {
    link.lose(toSandboxError(cause, 'check what the supervisor can do'));
    throw cause;
  }
}

function forwardGone(inner: DriverSandbox, link: Link): void {
  const lose = () => {
    const { reason } = inner.gone;
    link.lose(
      goneError(`the provider says that the sandbox is gone: ${messageOf(reason)}`, reason),
    );
  };
  if (inner.gone.aborted) lose();
  else inner.gone.addEventListener('abort', lose, { once: true });
}

function execDefaults(inner: DriverSandbox, spec: SandboxSpec | null): ExecDefaults {
  const { workdir, isolation } = inner.info;
  // Without walls the account's real home would be someone else's.
  const home = isolation === 'container' || isolation === 'vm' ? '/root' : workdir;
  return {
    workdir,
    env: baseEnvironment(home, inner.env, spec?.env),
    secrets: spec?.secrets ?? {},
  };
}

function countsOom(capabilities: Capabilities): boolean {
  return capabilities.usage.oom;
}

/** The driver's own counter where reading all of the usage would cost more. */
function oomCounter(inner: DriverSandbox): ReadOomKills | null {
  if (inner.oomKills !== undefined) return inner.oomKills.bind(inner);
  const { usage } = inner;
  if (usage === undefined) return null;
  return async () => (await usage.call(inner))?.oomKills ?? null;
}

function expiryFor(
  inner: DriverSandbox,
  spec: SandboxSpec | null,
  now: Readonly<{ wallMs: number; monoMs: number }>,
): Expiry {
  const known = expiryOf(inner.ref.labels) ?? inner.info.expiresAtMs;
  const left = spec === null ? known - now.wallMs : spec.lifetimeMs;
  return { wallMs: now.wallMs + left, monoMs: now.monoMs + left };
}

function watchEnd(
  { effects, spec }: OpenSandboxContext,
  activity: Activity,
  end: SandboxEnd,
  expiry: Expiry,
): void {
  void watchLifetime({
    clock: effects.clock,
    activity,
    expiresAtMonoMs: () => expiry.monoMs,
    idleMs: spec?.idleMs,
    signal: end.stopped,
    onEnd: (reason) => {
      const why = reason === 'idle' ? 'it was not used' : 'its lifetime is over';
      void end.finish(reason, goneError(`the sandbox is gone: ${why}`));
    },
  });
}
