import { configKeys, ownConfigKeys, type RunCommand } from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import { formatTable } from '../display/table.ts';
import { knownEnvironments } from '../environments/known-environments.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { providerKeyNames } from '../sandboxes/builtin-providers.ts';

/** An environment as it is listed. keys: what it adds to section `env`; null = it does not tell. */
interface Listed {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly keys: readonly string[] | null;
}

/** `hermes environments`: what `hermes evaluate` can be given, and the keys of its configuration. */
export async function runEnvironments(
  flags: { readonly json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const known = await Promise.all(knownEnvironments(context).map((entry) => entry.load()));
  const environments = known.map(({ id, version, description, config }) => ({
    id,
    version,
    description,
    keys: ownConfigKeys(config),
  }));
  const text =
    flags.json === true
      ? JSON.stringify(
          { environments, generalKeys: keysOfAll(), providerKeys: providerKeyNames },
          null,
          2,
        )
      : `${tableOf(environments)}\n\n${generalKeys()}`;
  context.stdout.write(`${text}\n`);
  return exitCodes.ran;
}

function tableOf(environments: readonly Listed[]): string {
  const rows = environments.map(({ id, version, keys, description }) => [
    id,
    version,
    keys?.join(', ') || '-',
    description,
  ]);
  return formatTable(['environment', 'version', 'own keys (--env.KEY VALUE)', 'what it is'], rows);
}

/** Keys of section `env` that every environment has. */
function keysOfAll() {
  return configKeys()
    .filter(({ section }) => section === 'env')
    .map(({ key, default: fallback, readers }) => ({
      key,
      default: fallback,
      hasEffect: readers.includes('evaluate'),
      readers,
    }));
}

function generalKeys(): string {
  const names = (reader: RunCommand | null): string =>
    keysOfAll()
      .filter(({ readers }) => (reader === null ? readers.length === 0 : readers[0] === reader))
      .map(({ key }) => key)
      .join(', ');
  return (
    `keys of every environment: ${names('evaluate')}\n` +
    `for process and serve: ${[names('process'), names('serve')].join(', ')}\n` +
    `keys of sandbox providers: ${providerKeyNames.join(', ')}\n` +
    `accepted, without effect: ${names(null)}\n` +
    'what a key means: hermes config explain KEY'
  );
}
