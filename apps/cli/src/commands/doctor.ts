import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { GivenKeys } from '../sandboxes/provider-keys.ts';
import { reportProviders } from '../sandboxes/provider-reports.ts';
import { type ConfigFlag, readSandboxConfig } from '../sandboxes/read-sandbox-config.ts';

/** One thing that was looked at. `fix`: what to do, null where nothing is wrong. */
interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly detail: string;
  readonly fix: string | null;
}

/** `hermes doctor`: what this machine has and lacks, each with the way out. */
export async function runDoctor(
  flags: ConfigFlag & { readonly json?: boolean },
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const { given } = await readSandboxConfig(flags, dotted, context);
  const checks = [nodeVersion(), await temporaryFolder(), ...(await sandboxes(given, context))];
  context.stdout.write(
    flags.json === true ? `${JSON.stringify(checks, null, 2)}\n` : formatChecks(checks),
  );
  return exitCodes.ran;
}

function nodeVersion(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOk = major > 20 || (major === 20 && minor >= 19);
  return {
    name: 'node',
    isOk,
    detail: process.versions.node,
    fix: isOk ? null : 'install Node 20.19 or newer',
  };
}

async function temporaryFolder(): Promise<Check> {
  const folder = tmpdir();
  const isOk = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  return {
    name: 'temporary folder',
    isOk,
    detail: folder,
    fix: isOk ? null : 'set TMPDIR to a folder that can be written',
  };
}

async function sandboxes(given: GivenKeys, context: CliContext): Promise<readonly Check[]> {
  const reports = await reportProviders({ name: null, settings: null, given }, context);
  return reports.map(({ name, report }) => ({
    name: `sandbox ${name}`,
    isOk: report.ok,
    detail:
      report.problems.map((problem) => problem.message).join('; ') ||
      (report.summary ?? `isolation: ${report.capabilities?.isolation}`),
    fix: report.problems.map((problem) => problem.fix).join('; ') || null,
  }));
}

function formatChecks(checks: readonly Check[]): string {
  const lines = checks.map(({ name, isOk, detail, fix }) => {
    const way = fix === null ? '' : `\n       fix: ${fix}`;
    return `${isOk ? 'ok   ' : 'lacks'}  ${name}: ${detail}${way}`;
  });
  return `${lines.join('\n')}\n`;
}
