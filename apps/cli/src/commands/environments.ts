import type { CliContext } from '../context.ts';
import { formatTable } from '../display/table.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { knownEnvironments } from '../known-environments.ts';

/** `hermes environments`: what `hermes evaluate` can be given. */
export async function runEnvironments(
  flags: { readonly json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const environments = (await knownEnvironments(context)).map(({ id, version, description }) => ({
    id,
    version,
    description,
  }));
  const rows = environments.map(({ id, version, description }) => [id, version, description]);
  const text =
    flags.json === true
      ? JSON.stringify(environments, null, 2)
      : formatTable(['environment', 'version', 'what it is'], rows);
  context.stdout.write(`${text}\n`);
  return exitCodes.ran;
}
