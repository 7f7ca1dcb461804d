import { HermesError } from '@hermes/protocol';
import { explainedKeys, type KeyExplanation } from '../config/explained-keys.ts';
import type { CliContext } from '../context.ts';
import { formatTable } from '../display/table.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { unknownName } from '../unknown-name.ts';

/** `hermes config explain`: what a key means, or all of them in a table. */
export async function runConfigExplain(
  key: string | null,
  flags: { readonly environment?: string; readonly json?: boolean },
  context: CliContext,
): Promise<ExitCode> {
  const keys = await explainedKeys(flags.environment ?? null, context);
  const wanted = key === null ? keys : found(key, keys);
  const text =
    flags.json === true
      ? JSON.stringify(wanted, null, 2)
      : key === null
        ? tableOf(wanted)
        : wanted.map(pageOf).join('\n\n');
  context.stdout.write(`${text}\n`);
  return exitCodes.ran;
}

/** By the whole path, by the key alone, or by an older name. Throws CONFIG with the nearest. */
function found(key: string, keys: readonly KeyExplanation[]): readonly KeyExplanation[] {
  const wanted = key.replace(/^--/, '');
  const matches = keys.filter(
    ({ path, aliases, flag }) =>
      path === wanted ||
      path.slice(path.indexOf('.') + 1) === wanted ||
      aliases.includes(wanted.replace(/^env\./, '')) ||
      flag === `--${wanted}`,
  );
  if (matches.length > 0) return matches;
  const known = wanted.includes('.')
    ? keys.map(({ path }) => path)
    : keys.map(({ path }) => path.slice(path.indexOf('.') + 1));
  throw new HermesError('config', 'CONFIG', unknownName('key', wanted, known));
}

function tableOf(keys: readonly KeyExplanation[]): string {
  const rows = keys.map((key) => [key.path, key.type, JSON.stringify(key.default), key.meaning]);
  return formatTable(['key', 'type', 'default', 'meaning'], rows);
}

function pageOf(key: KeyExplanation): string {
  const lines = [
    ['meaning', key.meaning],
    ['type', key.type],
    ['default', JSON.stringify(key.default)],
    ['in a file', key.example],
    ['flag', [...(key.flag === null ? [] : [key.flag]), `--${key.path} VALUE`].join(', ')],
    ['variable', key.variable ?? 'none'],
    ['older names', key.aliases.join(', ') || 'none'],
    ['read by', key.readers.join(', ') || 'nothing: it is accepted and has no effect'],
  ];
  return [key.path, ...lines.map(([name = '', text]) => `  ${name.padEnd(12)} ${text}`)].join('\n');
}
