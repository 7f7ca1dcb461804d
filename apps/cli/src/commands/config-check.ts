import { HermesError } from '@hermes/protocol';
import { wrongNames } from '../config/check-names.ts';
import { type ConfigFlags, type ReadConfig, readForPeople } from '../config/read-for-people.ts';
import type { CliContext } from '../context.ts';
import { formatPlural, printableLines } from '../display/format.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { announcedProviders } from '../sandboxes/builtin-providers.ts';

/** `hermes config check`: everything that a run would refuse of its configuration, and what would have no effect. */
export async function runConfigCheck(
  name: string | null,
  flags: ConfigFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const found = await check(name, flags, dotted, context);
  const { problems } = found;
  const text =
    flags.json === true
      ? JSON.stringify({ ok: problems.length === 0, ...found }, null, 2)
      : textOf(found, flags.config ?? 'the configuration');
  context.stdout.write(`${text}\n`);
  return problems.length === 0 ? exitCodes.ran : exitCodes.wrongUsage;
}

type Found = Readonly<{
  environment: string | null;
  /** Keys that somebody has set. */
  given: number;
  problems: readonly string[];
  notices: readonly string[];
}>;

async function check(
  name: string | null,
  flags: ConfigFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<Found> {
  try {
    const read = await readForPeople(name, flags, dotted, context);
    const problems = await wrongNames(read, flags, dotted, context);
    return { ...summaryOf(read), problems };
  } catch (error) {
    if (!HermesError.isInstance(error) || error.boundary !== 'config') throw error;
    const { problems = [error.message] } = (error.details ?? {}) as {
      problems?: readonly string[];
    };
    return { environment: name, given: 0, problems, notices: [] };
  }
}

function summaryOf({ config, environment, missing }: ReadConfig): Omit<Found, 'problems'> {
  const backend = config.env.terminalBackend;
  const provider = announcedProviders[backend];
  const given = config.values.filter(({ sources }) =>
    sources.some(({ kind }) => ['file', 'flag', 'variable'].includes(kind)),
  );
  return {
    environment,
    given: given.length,
    notices: [
      ...config.notices,
      ...(missing === null
        ? []
        : [
            `a run needs the package ${missing.packageName}, which is not installed here or too old`,
          ]),
      ...(provider === undefined
        ? []
        : [`env.terminal_backend ${backend}: a run needs the package ${provider}`]),
    ],
  };
}

function textOf({ environment, given, problems, notices }: Found, what: string): string {
  const lines = [
    ...notices.map((notice) => `note: ${notice}`),
    ...problems.map((problem) => `wrong: ${problem}`),
    problems.length === 0
      ? `${what} is right${environment === null ? '' : ` for ${environment}`}: ${formatPlural(given, 'key')} set`
      : `${what} is wrong: ${formatPlural(problems.length, 'problem')}`,
  ];
  return printableLines(lines.join('\n'));
}
