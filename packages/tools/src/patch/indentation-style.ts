import { alignLines } from './align-lines.ts';
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
  alignLines(wanted, next).forEach((at, index) => {
    const line = next[index] ?? '';
    const isTelling = at !== -1 && line.trim() !== '';
    const vote = isTelling ? closerStyle(line, wanted[at] ?? '', there[at] ?? '') : null;
    if (vote !== null) votes.add(vote);
  });
  if (votes.size === 2) return 'unclear';
  const [only] = votes;
  return only ?? styleOfFirstLine({ wanted, next, there });
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
