import type { PreflightReport } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import { formatTable } from '../display/table.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { builtinProviders, openProvider } from '../open-provider.ts';

/** What one provider said of itself on this machine. */
export interface ProviderReport {
  readonly name: string;
  readonly description: string;
  readonly report: PreflightReport;
}

/** `hermes providers`: each provider with what its preflight proved here. */
export async function runProviders(
  flags: { readonly json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const reports = await preflightAll(context);
  context.stdout.write(
    flags.json === true ? `${JSON.stringify(reports, null, 2)}\n` : formatReports(reports),
  );
  return exitCodes.ran;
}

/** Opens each built-in provider, asks its preflight, and closes it again. */
export async function preflightAll(context: CliContext): Promise<readonly ProviderReport[]> {
  const reports: ProviderReport[] = [];
  for (const { name, description } of builtinProviders) {
    const provider = await openProvider(name, {}, { workingDirectory: context.workingDirectory });
    try {
      reports.push({ name, description, report: await provider.preflight(context.signal) });
    } finally {
      await provider.close();
    }
  }
  return reports;
}

function formatReports(reports: readonly ProviderReport[]): string {
  const rows = reports.map(({ name, description, report }) => [
    name,
    report.ok ? 'ready' : 'not here',
    report.capabilities.isolation,
    abilities(report),
    description,
  ]);
  const problems = reports.flatMap(({ name, report }) =>
    report.problems.map((problem) => `${name}: ${problem.message} -> ${problem.fix}`),
  );
  return [
    formatTable(['provider', 'state', 'isolation', 'enforces', 'what it is'], rows),
    '',
    ...problems,
    '',
  ].join('\n');
}

function abilities({ capabilities }: PreflightReport): string {
  const { resourceLimits } = capabilities;
  const limits = Object.entries(resourceLimits)
    .filter(([, isThere]) => isThere)
    .map(([name]) => name);
  const others = [
    capabilities.networkNone ? 'no network' : '',
    capabilities.absolutePaths ? 'own /app' : '',
  ];
  return [...limits, ...others].filter((word) => word !== '').join(', ') || '-';
}
