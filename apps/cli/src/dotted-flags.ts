import { HermesError } from '@hermes/protocol';

/** `--env.terminal_timeout 60` as data: section, key and the text of the value; null: nothing stands after it, which means true. */
export interface DottedFlag {
  readonly section: string;
  readonly key: string;
  readonly value: string | null;
}

const pattern = /^--([A-Za-z_]\w*)\.([A-Za-z_][\w.-]*)(?:=(.*))?$/s;
const oldPattern = /^--(env|openai)--([A-Za-z_][\w.-]*)(=.*)?$/s;

/** Takes `--SECTION.KEY VALUE` and `--SECTION.KEY=VALUE` out of the arguments; the rest is for the command's own flags. What stands after `--` is nobody's flag. */
export function takeDottedFlags(argv: readonly string[]): {
  readonly rest: readonly string[];
  readonly dotted: readonly DottedFlag[];
} {
  const rest: string[] = [];
  const dotted: DottedFlag[] = [];
  const left = [...argv];
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (argument === '--') return { rest: [...rest, argument, ...left], dotted };
    refuseOldSpelling(argument);
    const match = pattern.exec(argument);
    if (match === null) {
      rest.push(argument);
      continue;
    }
    const [, section = '', key = '', inline] = match;
    dotted.push({ section, key, value: inline ?? takeValue(left) });
  }
  return { rest, dotted };
}

/** The next argument, unless it is a flag; `-1` is a number. */
function takeValue(left: string[]): string | null {
  const [next] = left;
  if (next === undefined || next === '--' || /^--?[A-Za-z]/.test(next)) return null;
  left.shift();
  return next;
}

function refuseOldSpelling(argument: string): void {
  const match = oldPattern.exec(argument);
  if (match === null) return;
  const [, section, key] = match;
  throw new HermesError('config', 'CONFIG', `${argument}: write --${section}.${key}, with a dot`);
}
