import { indentationOf } from './indentation.ts';

/** The lines that were asked for, those that shall come, and those that are there instead of the first. */
export type Blocks = Readonly<{
  wanted: readonly string[];
  next: readonly string[];
  there: readonly string[];
}>;

/** Are the new lines indented as the old ones were given, or already as the file is? */
export function styleOf({ wanted, next, there }: Blocks): 'given' | 'file' | 'unclear' {
  const votes = new Set<'given' | 'file'>();
  for (const line of next) {
    const at = onlyIndexOf(wanted, line);
    if (at === -1 || line.trim() === '') continue;
    const vote = closerStyle(line, wanted[at] ?? '', there[at] ?? '');
    if (vote !== null) votes.add(vote);
  }
  if (votes.size === 2) return 'unclear';
  const [only] = votes;
  return only ?? styleOfFirstLine({ wanted, next, there });
}

/** Where a line stands, whatever its indentation; -1: nowhere, or more than once. */
export function onlyIndexOf(lines: readonly string[], line: string): number {
  const body = line.trim();
  const isSame = (candidate: string): boolean => candidate.trim() === body;
  const first = lines.findIndex(isSame);
  return first === lines.findLastIndex(isSame) ? first : -1;
}

/** null: it could be either, or is neither. */
function closerStyle(line: string, given: string, found: string): 'given' | 'file' | null {
  const [own, ofGiven, ofFound] = [line, given, found].map(indentationOf);
  if (ofGiven === ofFound) return null;
  if (own === ofGiven) return 'given';
  return own === ofFound ? 'file' : null;
}

function styleOfFirstLine({ wanted, next, there }: Blocks): 'given' | 'file' {
  const firstLine = next.find((line) => line.trim() !== '');
  const start = wanted.findIndex((line) => line.trim() !== '');
  if (firstLine === undefined) return 'given';
  return closerStyle(firstLine, wanted[start] ?? '', there[start] ?? '') ?? 'given';
}
