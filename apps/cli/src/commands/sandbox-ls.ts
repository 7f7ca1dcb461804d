import type { CliContext } from '../context.ts';
import { formatPlural } from '../display/format.ts';
import { formatTable } from '../display/table.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type SourceFlags, withEachProvider } from '../sandboxes/each-provider.ts';
import { type Labels, type ListedSandbox, listSandboxes } from '../sandboxes/list-sandboxes.ts';

/** The flags of `hermes sandbox ls`. */
export interface ListFlags extends SourceFlags {
  readonly label?: Labels;
}

/** `hermes sandbox ls`: what is there, and whose it is. */
export async function runSandboxLs(
  flags: ListFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const found: ListedSandbox[] = [];
  await withEachProvider(flags, dotted, context, async (provider) => {
    found.push(...(await listSandboxes(provider, flags.label)));
  });
  context.stdout.write(
    flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : formatSandboxes(found),
  );
  return exitCodes.ran;
}

function formatSandboxes(found: readonly ListedSandbox[]): string {
  if (found.length === 0) return 'no sandboxes of this user\n';
  const rows = found.map(({ provider, id, name, labels, isOrphan }) => [
    provider,
    name ?? id,
    isOrphan ? 'orphan' : 'in use',
    labels['hermes.run'] ?? '-',
    labels['hermes.owner.pid'] ?? '-',
    expiry(labels['hermes.expires']),
  ]);
  const table = formatTable(['provider', 'sandbox', 'state', 'run', 'owner', 'expires'], rows);
  return `${table}\n${formatPlural(found.length, 'sandbox')} of this user\n`;
}

function expiry(seconds: string | undefined): string {
  return seconds === undefined ? '-' : new Date(Number(seconds) * 1000).toISOString();
}
