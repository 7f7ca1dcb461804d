import { HermesError } from '@hermes/protocol';

/** `--env.terminal_timeout 60` as data: section, key and the text of the value. */
export interface DottedFlag {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

const pattern = /^--(env|openai)\.([A-Za-z_][\w.-]*)(?:=(.*))?$/s;

/** Takes `--env.KEY VALUE` and `--openai.KEY=VALUE` out of the arguments; the rest is for the command's own flags. */
export function takeDottedFlags(argv: readonly string[]): { readonly rest: readonly string[]; readonly dotted: readonly DottedFlag[] } {
  const rest: string[] = [];
  const dotted: DottedFlag[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const match = pattern.exec(argument);
    if (match === null) {
      rest.push(argument);
      continue;
    }
    const [, section = '', key = '', inline] = match;
    const value = inline ?? argv[(index += 1)];
    if (value === undefined) throw new HermesError('config', 'CONFIG', `${argument}: a value is needed, for example ${argument} 1`);
    dotted.push({ section, key, value });
  }
  return { rest, dotted };
}
