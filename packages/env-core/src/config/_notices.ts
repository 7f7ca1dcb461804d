import { aliasesIn, KEY_ALIASES } from './_aliases.ts';
import { ENV_FIELDS } from './_env-keys.ts';
import type { ConfigFields } from './_fields.ts';
import type { RawConfig } from './_layers.ts';
import { SERVER_FIELDS } from './_server-keys.ts';
import { TRACKING_FIELDS, TRAINING_FIELDS } from './_training-keys.ts';
import type { RunCommand } from './run-command.ts';
import type { Traced } from './value-source.ts';

/** Sentences about keys that were given and do less than their names promise. */
export function noticesOf(
  { env, openai }: RawConfig,
  given: readonly string[],
  command: RunCommand,
): readonly string[] {
  const fields = { ...ENV_FIELDS, ...TRAINING_FIELDS, ...TRACKING_FIELDS };
  const servers = openai.flatMap((server, index) =>
    idleIn(openai.length === 1 ? 'openai' : `openai.${index}`, SERVER_FIELDS, server, command),
  );
  return [
    ...aliasesIn(given).map((name) => `env.${name} is read as env.${KEY_ALIASES[name]}`),
    ...idleIn('env', fields, env, command),
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
