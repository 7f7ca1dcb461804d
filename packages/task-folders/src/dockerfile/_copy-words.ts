import { NotSimple, type Scope, words } from './_words.ts';

/** What follows COPY: the mode of `--chmod` (null = none) and the paths, the target last. */
export type CopyWords = Readonly<{ mode: number | null; list: readonly string[] }>;

const FLAG = /^--(\w+)(?:=(\S*))?\s+/;
const OCTAL = /^0?[0-7]{3,4}$/;

/** Reads flags and paths, the JSON form too. */
export function copyWords(rest: string, scope: Scope, mode: number | null = null): CopyWords {
  if (rest.includes('<<')) throw new NotSimple('COPY of a here-document');
  const [all, name, value = ''] = FLAG.exec(rest) ?? [];
  if (all === undefined || name === undefined)
    return { mode, list: rest.startsWith('[') ? jsonList(rest) : words(rest, scope) };
  const after = rest.slice(all.length);
  if (name === 'link') return copyWords(after, scope, mode);
  if (name === 'chmod' && OCTAL.test(value))
    return copyWords(after, scope, Number.parseInt(value, 8));
  throw new NotSimple(`COPY --${name}`);
}

function jsonList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    const isPlain = (one: unknown) => typeof one === 'string' && !one.includes('$');
    if (Array.isArray(list) && list.every(isPlain)) return list;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new NotSimple('COPY [...] is no list of plain texts');
}
