import { HermesError } from '@hermes/protocol';

/** `--env.terminal_timeout 60` as data: section, key and the text of the value. */
export interface DottedFlag {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

const pattern = /^--(env|openai)\.([A-Za-z_][\w.-]*)(?:=(.*))?$/s;

/** Takes `--env.KEY VALUE` and `--openai.KEY=VALUE` out of the arguments; the rest is for the command's own flags. What stands after `--` is nobody's flag. */
export function takeDottedFlags(argv: readonly string[]): {
  readonly rest: readonly string[];
  readonly dotted: readonly DottedFlag[];
} {
  const rest: string[] = [];
  const dotted: DottedFlag[] = [];
  const left = [...argv];
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (argument === '--') return { rest: [...rest, argument, ...left], dotted };
    const match = pattern.exec(argument);
    if (match === null) {
      rest.push(argument);
      continue;
    }
    const [, section = '', key = '', inline] = match;
    dotted.push({ section, key, value: inline ?? left.shift() ?? missingValue(argument) });
  }
  return { rest, dotted };
}

function missingValue(flag: string): never {
  throw new HermesError('config', 'CONFIG', `${flag}: a value is needed, for example ${flag} 1`);
}
