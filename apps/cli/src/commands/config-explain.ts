import { HermesError } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import { explainedKeys } from '../config/explained-keys.ts';
import type { KeyExplanation } from '../config/key-explanation.ts';
import type { CliContext } from '../context.ts';
import { formatTable } from '../display/table.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';

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
      : wanted.length > READABLE_PAGES
        ? tableOf(wanted)
        : wanted.map(pageOf).join('\n\n');
  context.stdout.write(`${text}\n`);
  return exitCodes.ran;
}

/** More keys than this are a table. */
const READABLE_PAGES = 3;

/** By the whole path, by the key alone, by a flag or an older name; else all keys with the word in them. Throws CONFIG with the nearest. */
function found(key: string, keys: readonly KeyExplanation[]): readonly KeyExplanation[] {
  const wanted = key.replace(/^--/, '');
  const exact = keys.filter(
    ({ path, aliases, wrongNames, flag }) =>
      path === wanted ||
      nameOf(path) === wanted ||
      [...aliases, ...wrongNames].includes(nameOf(wanted)) ||
      flag === `--${wanted}`,
  );
  const matches = exact.length > 0 ? exact : keys.filter(({ path }) => path.includes(wanted));
  if (matches.length > 0) return matches;
  const known = keys.map(({ path }) => (wanted.includes('.') ? path : nameOf(path)));
  const nearest = nearestName(wanted, known);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  const message = `unknown key '${wanted}'.${hint} hermes config explain lists all`;
  throw new HermesError('config', 'CONFIG', message);
}

/** A path without its section. */
function nameOf(path: string): string {
  return path.slice(path.indexOf('.') + 1);
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
    ['not called', key.wrongNames.join(', ') || '-'],
    ['read by', key.readers.join(', ') || 'nothing: it is accepted and has no effect'],
  ];
  return [key.path, ...lines.map(([name = '', text]) => `  ${name.padEnd(12)} ${text}`)].join('\n');
}
