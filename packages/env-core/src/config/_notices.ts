import { aliasesIn, KEY_ALIASES } from './_aliases.ts';
import type { ConfigFields } from './_fields.ts';
import type { RawConfig } from './_layers.ts';
import type { RunCommand } from './run-command.ts';
import { envFields, serverFields } from './sections.ts';
import type { Traced } from './value-source.ts';

/** Sentences about keys that were given and do less than their names promise. ownKeys: what the environment reads itself. */
export function noticesOf(
  { env, openai }: RawConfig,
  given: readonly string[],
  ownKeys: readonly string[],
  command: RunCommand,
): readonly string[] {
  const idle = [
    ...idleIn('env', envFields, env, command).filter(({ name }) => !ownKeys.includes(name)),
    ...openai.flatMap((server, index) =>
      idleIn(openai.length === 1 ? 'openai' : `openai.${index}`, serverFields, server, command),
    ),
  ];
  const places = [...new Set(idle.map(({ elsewhere }) => elsewhere))];
  return [
    ...aliasesIn(given).map((name) => `env.${name} is read as env.${KEY_ALIASES[name]}`),
    ...places.map((place) => sentence(idle.filter(({ elsewhere }) => elsewhere === place))),
  ];
}

/** A key that has no effect; elsewhere: the commands that read it. */
type IdleKey = Readonly<{ name: string; path: string; elsewhere: string }>;

/** What the user said, not what a command or an environment has as its default. */
function idleIn(
  section: string,
  fields: ConfigFields,
  given: Traced,
  command: RunCommand,
): readonly IdleKey[] {
  return Object.entries(given).flatMap(([name, { sources }]) => {
    const readers = fields[name]?.readers ?? [command];
    const isUsers = sources.some(({ kind }) => kind !== 'command' && kind !== 'environment');
    if (!isUsers || readers.includes(command)) return [];
    return [{ name, path: `${section}.${name}`, elsewhere: readers.join(' and ') }];
  });
}

function sentence(keys: readonly IdleKey[]): string {
  const paths = keys.map(({ path }) => path).join(', ');
  const [first] = keys;
  const readers = first?.elsewhere ?? '';
  const isOne = keys.length === 1;
  const what = `${paths} ${isOne ? 'has' : 'have'} no effect here`;
  return readers === '' ? what : `${what}; ${isOne ? 'it is' : 'they are'} for ${readers}`;
}
