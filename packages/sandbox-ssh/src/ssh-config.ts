import { fitsPatterns } from './wildcard.ts';

/** One line of an ssh_config file; an `Include` holds the lines of what it names. */
export type ConfigLine = Readonly<{
  keyword: string;
  words: readonly string[];
  included: readonly ConfigLine[];
}>;

/** What an ssh configuration says of a name, as far as it is heeded: lists of words by keyword in small letters. */
export type HostEntry = Readonly<{
  /** The words of the first line with this keyword that applies. */
  first(keyword: string): readonly string[] | undefined;
  /** Of keywords that rule each other out: the first line of any of them. */
  firstOf(keywords: readonly string[]): ConfigLine | undefined;
  /** The first word of every such line. */
  all(keyword: string): readonly string[];
}>;

/** Whose entry is wanted. */
export type Wanted = Readonly<{ name: string; user: string | undefined; localUser: string }>;

/** Reads lines as OpenSSH does: a keyword, then words, which may be quoted. include: the lines of the files of a pattern. */
export function parseSshConfig(
  text: string,
  include: (pattern: string) => readonly ConfigLine[],
): readonly ConfigLine[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
    const words = wordsOf(rest);
    if (keyword === '' || words.length === 0) return [];
    const isInclude = keyword.toLowerCase() === 'include';
    const included = isInclude ? words.flatMap((pattern) => include(pattern)) : [];
    return [{ keyword: keyword.toLowerCase(), words, included }];
  });
}

/** Finds what applies to a name: of each keyword the first line counts, whichever block it stands in. */
export function lookUpHost(lines: readonly ConfigLine[], wanted: Wanted): HostEntry {
  const found: ConfigLine[] = [];
  collect(lines, true, wanted, found);
  const of = (keyword: string) => found.filter((line) => line.keyword === keyword);
  return {
    first: (keyword) => of(keyword)[0]?.words,
    firstOf: (keywords) => found.find((line) => keywords.includes(line.keyword)),
    all: (keyword) => of(keyword).flatMap(({ words }) => words.slice(0, 1)),
  };
}

function wordsOf(text: string): string[] {
  const words = text.matchAll(/"([^"]*)"|([^\s"]+)/g);
  const all = [...words].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const comment = all.findIndex((word) => word.startsWith('#'));
  return comment < 0 ? all : all.slice(0, comment);
}

/** Lines before the first block, and those of an included file, count as the block around them does. */
function collect(
  lines: readonly ConfigLine[],
  isAround: boolean,
  wanted: Wanted,
  found: ConfigLine[],
): void {
  let applies = isAround;
  for (const line of lines) {
    if (line.keyword === 'host') applies = isAround && fitsPatterns(line.words, wanted.name);
    else if (line.keyword === 'match') applies = isAround && matches(line.words, wanted, found);
    else if (line.keyword === 'include') collect(line.included, applies, wanted, found);
    else if (applies) found.push(line);
  }
}

/** A criterion that is not known here (a command to run, a tag) fits nothing. */
function matches(words: readonly string[], wanted: Wanted, found: readonly ConfigLine[]): boolean {
  const first = (keyword: string) => found.find((line) => line.keyword === keyword)?.words[0];
  const subjects: Readonly<Record<string, string>> = {
    host: first('hostname')?.replaceAll('%h', wanted.name) ?? wanted.name,
    originalhost: wanted.name,
    user: wanted.user ?? first('user') ?? wanted.localUser,
    localuser: wanted.localUser,
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word.toLowerCase() === 'all') continue;
    const isNegated = word.startsWith('!');
    const subject = subjects[word.replace(/^!/, '').toLowerCase()];
    at += 1;
    if (subject === undefined) return false;
    if (fitsPatterns((words[at] ?? '').split(','), subject) === isNegated) return false;
  }
  return words.length > 0;
}
