import type { EnvSettings } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { PreflightReport, SandboxProvider } from '@hermes/sandbox';
import type { CliContext } from './context.ts';
import { formatPlural } from './display/format.ts';
import type { ModelEntry } from './models.ts';
import { openProvider } from './open-provider.ts';

/** Which provider, with its own settings. */
type ProviderChoice = Pick<EnvSettings, 'terminalBackend' | 'sandboxSettings'>;

/**
 * Opens the provider of a run and proves it before anything is started: what it lacks, and a live model without isolation, is refused here.
 * Sandboxes that dead runs left behind are removed.
 */
export async function openSandboxes(
  { terminalBackend: name, sandboxSettings }: ProviderChoice,
  model: ModelEntry,
  context: CliContext,
  effects: Effects,
): Promise<SandboxProvider> {
  const provider = await openProvider(name, sandboxSettings, {
    workingDirectory: context.workingDirectory,
    effects,
  });
  try {
    const report = await provider.preflight(context.signal);
    refuseProblems(name, report);
    refuseLiveModel(name, model, report);
    context.stderr.write(`sandbox ${name}: ${describe(report)}\n`);
    if (!model.isTrusted && report.capabilities.isolation === 'none')
      context.stderr.write(`${NOTHING_DEFENDED}\n`);
    await removeOrphans(provider, context);
    return provider;
  } catch (error) {
    await provider.close();
    throw error;
  }
}

const NOTHING_DEFENDED =
  'warning: this sandbox defends nothing: what the model runs can read and change whatever your user can, its own grading included';

function refuseProblems(name: string, report: PreflightReport): void {
  if (report.ok) return;
  const problems = report.problems
    .map((problem) => `${problem.message}. ${problem.fix}`)
    .join('\n  ');
  throw new HermesError('config', 'CONFIG', `--sandbox ${name} does not work here: ${problems}`);
}

/** The solution of a task's own author may run without isolation; what a model writes may not, unless the user says so by name. */
function refuseLiveModel(name: string, model: ModelEntry, report: PreflightReport): void {
  if (model.isTrusted || report.capabilities.isolation !== 'none' || name === 'host') return;
  throw new HermesError(
    'config',
    'CONFIG',
    `--model ${model.name} would run what it writes on this machine without isolation (--sandbox ${name}). ` +
      'Install bubblewrap (apt-get install bubblewrap), choose an isolated provider (hermes providers), or say --sandbox host if you mean it',
  );
}

function describe(report: PreflightReport): string {
  return report.summary ?? `isolation ${report.capabilities.isolation}`;
}

async function removeOrphans(provider: SandboxProvider, context: CliContext): Promise<void> {
  const { removed, failed } = await provider.reap();
  if (removed.length > 0)
    context.stderr.write(
      `removed ${formatPlural(removed.length, 'sandbox')} of runs that are dead\n`,
    );
  for (const { ref, message } of failed)
    context.stderr.write(`could not remove the dead sandbox ${ref.id}: ${message}\n`);
}
