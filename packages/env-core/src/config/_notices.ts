import { aliasesIn, KEY_ALIASES } from './_aliases.ts';
import type { ConfigFields } from './_fields.ts';
import type { RawConfig } from './_layers.ts';
import type { RunCommand } from './run-command.ts';
import { envFields, serverFields } from './sections.ts';
import type { Traced } from './value-source.ts';

/** Sentences about keys that were given and do less than their names promise. */
export function noticesOf(
  { env, openai }: RawConfig,
  given: readonly string[],
  command: RunCommand,
): readonly string[] {
  const servers = openai.flatMap((server, index) =>
    idleIn(openai.length === 1 ? 'openai' : `openai.${index}`, serverFields, server, command),
  );
  return [
    ...aliasesIn(given).map((name) => `env.${name} is read as env.${KEY_ALIASES[name]}`),
    ...idleIn('env', envFields, env, command),
    ...servers,
  ];
}

/** What the user said, not what a command or an environment has as its default. */
function idleIn(
  path: string,
  fields: ConfigFields,
  given: Traced,
  command: RunCommand,
): readonly string[] {
  const names = Object.entries(given).flatMap(([name, { sources }]) => {
    const isUsers = sources.some(({ kind }) => !['command', 'environment'].includes(kind));
    return isUsers && fields[name]?.readers.includes(command) === false ? [name] : [];
  });
  return names.map(
    (name) => `${path}.${name} has no effect here${elsewhere(fields[name]?.readers)}`,
  );
}

function elsewhere(readers: readonly RunCommand[] = []): string {
  return readers.length === 0 ? '' : `; it is for ${readers.join(' and ')}`;
}
