import type { CliContext } from '../context.ts';
import { formatCapabilities } from '../display/capability-table.ts';
import { formatTable } from '../display/table.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type ProviderReport, reportProviders } from '../sandboxes/provider-reports.ts';
import { type ConfigFlag, readSandboxConfig } from '../sandboxes/read-sandbox-config.ts';

/** `hermes providers [NAME]`: each provider with its capabilities as declared, and as its preflight proved them here. */
export async function runProviders(
  name: string | null,
  flags: ConfigFlag & { readonly json?: boolean },
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const { settings, given } = await readSandboxConfig(flags, dotted, context);
  const request = { name, settings: name === null ? null : settings, given };
  const reports = await reportProviders(request, context);
  context.stdout.write(
    flags.json === true ? `${JSON.stringify(reports, null, 2)}\n` : formatReports(reports),
  );
  return exitCodes.ran;
}

function formatReports(reports: readonly ProviderReport[]): string {
  const rows = reports.map(({ name, description, report }) => [
    name,
    report.ok ? 'ready' : 'not here',
    report.capabilities?.isolation ?? '-',
    report.summary ?? '-',
    description,
  ]);
  const problems = reports.flatMap(({ name, report }) =>
    report.problems.map(({ message, fix }) => `${name}: ${message} -> ${fix}`),
  );
  return [
    formatTable(['provider', 'state', 'isolation', 'what was found here', 'what it is'], rows),
    '',
    formatCapabilities(reports),
    '(in brackets: declared, and not proved here)',
    '',
    ...problems,
    '',
  ].join('\n');
}
