import { HermesError, type JsonObject } from '@hermes/protocol';
import type { Capabilities, PreflightReport } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import { builtinProviders } from './builtin-providers.ts';
import { openProvider } from './open-provider.ts';
import type { GivenKeys } from './provider-keys.ts';

/** What one provider says of itself, and what its preflight proved on this machine. */
export interface ProviderReport {
  readonly name: string;
  readonly description: string;
  /** null: it could not be opened. */
  readonly declared: Capabilities | null;
  readonly report: Omit<PreflightReport, 'capabilities'> & {
    /** As proved here; of one that is not ready, as far as it could tell. null: it could not be opened. */
    readonly capabilities: Capabilities | null;
  };
}

/** Which providers to look at, with what. */
export interface ReportRequest {
  /** null: all that come with the command. */
  readonly name: string | null;
  readonly settings: JsonObject | null;
  readonly given: GivenKeys;
}

/** Opens each provider, asks its preflight, and closes it again. One that cannot even be opened is a report too. */
export async function reportProviders(
  { name, settings, given }: ReportRequest,
  context: CliContext,
): Promise<readonly ProviderReport[]> {
  const known = builtinProviders.map(({ name, description }) => ({ name, description }));
  const listed = name === null ? known : [known.find((one) => one.name === name) ?? named(name)];
  const reports: ProviderReport[] = [];
  for (const one of listed) {
    context.signal.throwIfAborted();
    const looked = await lookAt(one.name, settings, given, context).catch((error) => {
      if (name !== null || !HermesError.isInstance(error)) throw error;
      return notOpened(error);
    });
    reports.push({ ...one, ...looked });
  }
  return reports;
}

function named(name: string): Pick<ProviderReport, 'name' | 'description'> {
  return { name, description: 'not of this command' };
}

async function lookAt(
  name: string,
  settings: JsonObject | null,
  given: GivenKeys,
  { workingDirectory, signal }: CliContext,
): Promise<Pick<ProviderReport, 'declared' | 'report'>> {
  const provider = await openProvider(name, settings, { workingDirectory, given });
  try {
    const declared = provider.capabilities;
    return { declared, report: await provider.preflight(signal) };
  } finally {
    await provider.close();
  }
}

/** Not installed, or a wrong variable. */
function notOpened({
  code,
  message,
  details,
}: HermesError): Pick<ProviderReport, 'declared' | 'report'> {
  const fix = typeof details?.fix === 'string' ? details.fix : 'correct it, or take it away';
  const problems = [{ code, message, fix }];
  return { declared: null, report: { ok: false, problems, capabilities: null } };
}
