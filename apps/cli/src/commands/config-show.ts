import type { ConfigValue } from '@hermes/env-core';
import { type ConfigFlags, readForPeople } from '../config/read-for-people.ts';
import { variableValues } from '../config/variable-values.ts';
import type { CliContext } from '../context.ts';
import { formatTable } from '../display/table.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

/** `hermes config show`: every value that would hold, and where it comes from. */
export async function runConfigShow(
  name: string | null,
  flags: ConfigFlags & { readonly given?: boolean },
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const { config, environment } = await readForPeople(name, flags, dotted, context);
  const variables = variableValues(config, context.environmentVariables);
  const isTold = (path: string): boolean => variables.some((value) => value.path === path);
  const all = [...config.values.filter(({ path }) => !isTold(path)), ...variables];
  const values = all.filter((value) => flags.given !== true || isGiven(value));
  const { notices } = config;
  context.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ environment, values, notices }, null, 2)}\n`
      : `${tableOf(values)}\n`,
  );
  if (flags.json !== true) for (const notice of notices) context.stderr.write(`note: ${notice}\n`);
  return exitCodes.ran;
}

function isGiven({ sources }: ConfigValue): boolean {
  return sources.some(({ kind }) => kind !== 'default');
}

function tableOf(values: readonly ConfigValue[]): string {
  const rows = values.map(({ path, value, sources }) => [
    path,
    shortened(JSON.stringify(value)),
    sources.map(({ kind, name }) => (kind === 'default' ? name : `${kind} ${name}`)).join(', '),
  ]);
  return formatTable(['key', 'value', 'from'], rows);
}

const SHOWN_CHARS = 60;

function shortened(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
}
