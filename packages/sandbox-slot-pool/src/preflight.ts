import type { Capabilities, PreflightReport, SandboxProvider } from '@hermes/sandbox';
import type { Lease } from './lease.ts';
import type { ResolvedSettings } from './settings.ts';
import { planSlot } from './slot-config.ts';

type Problem = PreflightReport['problems'][number];

export type PreflightParts = Readonly<{
  inner: SandboxProvider;
  settings: ResolvedSettings;
  /** As known at the moment. */
  capabilities: () => Capabilities;
  acquire: () => Promise<Lease>;
  release: (lease: Lease, isClean: boolean) => void;
  signal: AbortSignal | undefined;
}>;

/** Asks the inner provider, then makes one slot and ends it: what that proves is what is reported. */
export async function preflightSlots(parts: PreflightParts): Promise<PreflightReport> {
  const report = await parts.inner.preflight(parts.signal);
  const name = parts.settings.inner.provider;
  if (!report.ok) return failed(parts, `the inner provider ${name} is not ready`, report.problems);
  if (report.capabilities.nesting !== true)
    return failed(parts, `${name} cannot hold slots`, [withoutNesting(name)]);
  try {
    await tryOneSlot(parts);
  } catch (cause) {
    return failed(parts, `no slot can be made at ${name}`, [slotProblem(cause, name)]);
  }
  const capabilities = parts.capabilities();
  const summary = `isolation container: slots in sandboxes of ${name}${lackingLimits(capabilities)}`;
  return { ok: true, summary, problems: [], capabilities };
}

async function tryOneSlot({ acquire, release, settings, signal }: PreflightParts): Promise<void> {
  const lease = await acquire();
  let isClean = false;
  try {
    const spec = { lifetimeMs: 1, labels: {}, idempotencyKey: 'preflight' };
    await lease.host.tryOut(planSlot(lease, spec, settings).shape, signal);
    isClean = true;
  } finally {
    release(lease, isClean);
  }
}

function lackingLimits({ resourceLimits }: Capabilities): string {
  const names = Object.entries(resourceLimits).flatMap(([name, kept]) => (kept ? [] : [name]));
  return names.length === 0 ? '' : `; not limited there: ${names.join(', ')}`;
}

function failed(
  parts: PreflightParts,
  summary: string,
  problems: readonly Problem[],
): PreflightReport {
  return { ok: false, summary, problems, capabilities: parts.capabilities() };
}

function withoutNesting(name: string): Problem {
  return {
    code: 'SLOTS_NOT_POSSIBLE',
    message: `sandboxes of ${name} give root no right to make namespaces and mounts`,
    fix: 'use docker, or ssh with the account root, as the inner provider',
  };
}

function slotProblem(cause: unknown, name: string): Problem {
  const message = cause instanceof Error ? cause.message : String(cause);
  const isSlots = message.includes('slot');
  const fix = isSlots
    ? `look at what ${name} allows inside: namespaces, mounts of overlay, tmpfs and proc, pivot_root`
    : `set up ${name} so that it can start a sandbox: hermes doctor`;
  return { code: isSlots ? 'SLOT_FAILED' : 'INNER_SANDBOX', message, fix };
}
