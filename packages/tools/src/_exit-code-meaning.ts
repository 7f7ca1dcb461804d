type Meanings = Readonly<Record<number, string>>;

const NO_MATCHES: Meanings = { 1: 'No matches were found (not an error)' };
const FILES_DIFFER: Meanings = { 1: 'The files differ (not an error)' };
const CONDITION_FALSE: Meanings = { 1: 'The condition is false (not an error)' };

const MEANINGS: ReadonlyMap<string, Meanings> = new Map([
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack'].map((name) => [name, NO_MATCHES] as const),
  ...['diff', 'colordiff'].map((name) => [name, FILES_DIFFER] as const),
  ...['test', '['].map((name) => [name, CONDITION_FALSE] as const),
  ['find', { 1: 'Some directories could not be read; what was found is complete otherwise' }],
  [
    'curl',
    {
      6: 'The host name could not be resolved',
      7: 'The connection could not be made',
      22: 'The server answered with an HTTP error status',
      28: 'The transfer ran out of time',
    },
  ],
  ['git', { 1: 'Often normal: for example, git diff found differences' }],
]);

const QUOTED = /\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs;
const SEPARATOR = /\|\||&&|[|;\n]/;

/** What a non-zero exit of the last command of a chain says when it is no failure; null: nothing known. */
export function exitCodeMeaning(command: string, exitCode: number): string | null {
  const commands = command.replace(QUOTED, '_').split(SEPARATOR);
  const last = commands.findLast((one) => one.trim() !== '') ?? '';
  return MEANINGS.get(programOf(last))?.[exitCode] ?? null;
}

function programOf(command: string): string {
  const words = command.trim().split(/\s+/);
  const program = words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? '';
  return program.split('/').at(-1) ?? '';
}
