/** What a wanted line is indented by, and the line of the file that it was found to be. */
export type IndentPair = Readonly<{ wanted: string; found: string }>;

/** A way from the indentation of a model's lines to that of the file; null: it cannot be told. */
export type Reindent = (indentation: string) => string | null;

/** The blanks at the beginning of a line. */
export function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The simplest way that explains every pair: none, deeper, shallower, or another unit. */
export function findReindent(pairs: readonly IndentPair[]): Reindent {
  const ways = [same, deeper(pairs), shallower(pairs), otherUnit(pairs)];
  const fitting = ways.find((way) => pairs.every(({ wanted, found }) => way(wanted) === found));
  return fitting ?? (() => null);
}

const same: Reindent = (indentation) => indentation;

/** The file has the same blanks more in front of every line. */
function deeper([first]: readonly IndentPair[]): Reindent {
  if (first === undefined || !first.found.endsWith(first.wanted)) return () => null;
  const added = first.found.slice(0, first.found.length - first.wanted.length);
  return (indentation) => added + indentation;
}

/** The file has the same blanks less. */
function shallower([first]: readonly IndentPair[]): Reindent {
  if (first === undefined || !first.wanted.endsWith(first.found)) return () => null;
  const removed = first.wanted.slice(0, first.wanted.length - first.found.length);
  return (indentation) =>
    indentation.startsWith(removed) ? indentation.slice(removed.length) : null;
}

const UNITS = ['\t', ...[4, 2, 8, 3, 1].map((width) => ' '.repeat(width))];

/** Tabs for blanks, two blanks for four, and so on; `levels` deeper where all lines are. */
function otherUnit(pairs: readonly IndentPair[]): Reindent {
  for (const wantedUnit of UNITS) {
    for (const foundUnit of UNITS) {
      const way = scaled(pairs, wantedUnit, foundUnit);
      if (way !== null && pairs.every(({ wanted, found }) => way(wanted) === found)) return way;
    }
  }
  return () => null;
}

function scaled(
  pairs: readonly IndentPair[],
  wantedUnit: string,
  foundUnit: string,
): Reindent | null {
  const [first] = pairs;
  const wantedLevel = levelOf(first?.wanted ?? '', wantedUnit);
  const foundLevel = levelOf(first?.found ?? '', foundUnit);
  if (wantedLevel === null || foundLevel === null) return null;
  const isProven = new Set(pairs.map(({ wanted }) => wanted)).size > 1;
  const levels = foundLevel - wantedLevel;
  // One line alone cannot tell a different unit from a different depth; one blank fits nearly anything.
  const isVague = !isProven || wantedUnit === ' ' || foundUnit === ' ';
  if (levels !== 0 && isVague) return null;
  return (indentation) => {
    const level = levelOf(indentation, wantedUnit);
    return level === null || level + levels < 0 ? null : foundUnit.repeat(level + levels);
  };
}

/** How many units an indentation is made of; null: it is made of something else. */
function levelOf(indentation: string, unit: string): number | null {
  const level = indentation.length / unit.length;
  return Number.isInteger(level) && indentation === unit.repeat(level) ? level : null;
}
