import type { EnvSettings } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { PreflightReport, SandboxProvider } from '@hermes/sandbox';
import { sweepTransferFolders } from '@hermes/sandbox/host';
import type { CliContext } from '../context.ts';
import { formatPlural } from '../display/format.ts';
import { closeInTime, unlessAborted } from '../in-time.ts';
import type { ModelEntry } from '../models.ts';
import { openProvider } from './open-provider.ts';
import type { GivenKeys } from './provider-keys.ts';

/** Which provider, with its own settings, and what the run demands of it. */
export type ProviderChoice = Pick<
  EnvSettings,
  'terminalBackend' | 'sandboxSettings' | 'requireSandbox' | 'containerLimits'
>;

/**
 * Opens the provider of a run and proves it before anything is started: what it lacks, limits that it cannot keep, and a live model without
 * isolation are refused here. Sandboxes that dead runs left behind are removed.
 */
export async function openSandboxes(
  choice: ProviderChoice,
  given: GivenKeys,
  model: ModelEntry,
  context: CliContext,
  effects: Effects,
): Promise<SandboxProvider> {
  const { terminalBackend: name, sandboxSettings } = choice;
  const { workingDirectory } = context;
  const { signal } = context;
  const opening = openProvider(name, sandboxSettings, { workingDirectory, given, effects });
  const provider = await unlessAborted(signal, opening, (late) => late.close());
  try {
    const report = await unlessAborted(signal, provider.preflight(signal));
    refuseProblems(name, report);
    refuseLimits(choice, report);
    refuseLiveModel(choice, model, report);
    context.stderr.write(`sandbox ${name}: ${describe(report)}\n`);
    if (!model.isTrusted && report.capabilities.isolation === 'none')
      context.stderr.write(`${NOTHING_DEFENDED}\n`);
    await unlessAborted(signal, removeOrphans(provider, context));
    return provider;
  } catch (error) {
    await closeInTime('the sandbox provider', () => provider.close(), context);
    throw error;
  }
}

const NOTHING_DEFENDED =
  'warning: this sandbox defends nothing: what the model runs can read and change whatever your user can, its own grading included';

/** Throws CONFIG with what is wrong and what to do about it. */
export function refuseProblems(name: string, report: PreflightReport): void {
  if (report.ok) return;
  const problems = report.problems
    .map((problem) => `${problem.message}. ${problem.fix}`)
    .join('\n  ');
  throw new HermesError('config', 'CONFIG', `--sandbox ${name} does not work here: ${problems}`);
}

/** A limit that the user asks for is kept or refused; a task's own figures are sizes, and what is not kept is on the record. */
function refuseLimits(
  { terminalBackend: name, containerLimits }: ProviderChoice,
  { capabilities }: PreflightReport,
): void {
  const { cpu, memory, disk } = capabilities.resourceLimits ?? {};
  const wanted = [
    { key: 'container_cpu', isGiven: containerLimits.cpus !== undefined, isKept: cpu },
    { key: 'container_memory', isGiven: containerLimits.memoryBytes !== undefined, isKept: memory },
    { key: 'container_disk', isGiven: containerLimits.diskBytes !== undefined, isKept: disk },
  ];
  const refused = wanted.filter(({ isGiven, isKept }) => isGiven && isKept !== true);
  if (refused.length === 0) return;
  const keys = refused.map(({ key }) => `env.${key}`).join(', ');
  const message = `${keys}: --sandbox ${name} cannot keep this limit here; leave it out, or choose a provider that enforces it (hermes providers)`;
  throw new HermesError('config', 'CONFIG', message);
}

/** The solution of a task's own author may run without isolation; what a model writes may not, unless the user says so by name. */
function refuseLiveModel(
  { terminalBackend: name, requireSandbox }: ProviderChoice,
  model: ModelEntry,
  report: PreflightReport,
): void {
  if (model.isTrusted || report.capabilities.isolation !== 'none') return;
  if (name === 'host' || !requireSandbox) return;
  throw new HermesError(
    'config',
    'CONFIG',
    `--model ${model.name} would run what it writes without isolation (--sandbox ${name}). ` +
      'Choose an isolated provider (hermes providers; on this machine: apt-get install bubblewrap), ' +
      'or if you mean it say --sandbox host for this machine, or --env.require_sandbox false for any',
  );
}

function describe(report: PreflightReport): string {
  return report.summary ?? `isolation ${report.capabilities.isolation}`;
}

async function removeOrphans(provider: SandboxProvider, context: CliContext): Promise<void> {
  await sweepTransferFolders();
  const { removed, failed } = await provider.reap().catch((error: unknown) => {
    context.stderr.write(`could not look for sandboxes of dead runs: ${String(error)}\n`);
    return { removed: [], failed: [] };
  });
  if (removed.length > 0)
    context.stderr.write(
      `removed ${formatPlural(removed.length, 'sandbox')} of runs that are dead\n`,
    );
  for (const { ref, message } of failed)
    context.stderr.write(`could not remove the dead sandbox ${ref.id}: ${message}\n`);
}
