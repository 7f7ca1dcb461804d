import { CodePointSet } from '../unicode/code-point-set.ts';
import type { PropertySets } from '../unicode/property-sets.ts';
import { parseEscape } from './parse-escape.ts';
import type { PatternReader } from './pattern-reader.ts';

/** Reads a character class; the opening bracket is passed already. */
export function parseClass(reader: PatternReader, sets: PropertySets): CodePointSet {
  const negated = reader.skip('^');
  let result: CodePointSet | null = null;
  do {
    const operand = parseOperand(reader, sets);
    result = result === null ? operand : result.intersect(operand);
  } while (reader.skip('&&'));
  reader.next();
  return negated ? result.complement() : result;
}

/** What stands up to the end of the class or the next `&&`. */
function parseOperand(reader: PatternReader, sets: PropertySets): CodePointSet {
  let set = new CodePointSet([]);
  let first = true;
  while (first || !/\]|&&/y.test(reader.text.slice(reader.position, reader.position + 2))) {
    set = set.union(parseMember(reader, sets));
    first = false;
  }
  return set;
}

function parseMember(reader: PatternReader, sets: PropertySets): CodePointSet {
  const start = parseItem(reader, sets);
  const range = /-(?!\])/y;
  range.lastIndex = reader.position;
  if (!range.test(reader.text)) return start;
  reader.skip('-');
  return rangeOf(reader, start, parseItem(reader, sets));
}

function rangeOf(reader: PatternReader, start: CodePointSet, end: CodePointSet): CodePointSet {
  const from = onlyMember(start);
  const to = onlyMember(end);
  if (from === null || to === null || from > to) throw reader.refuse('a range that is none');
  return new CodePointSet([[from, to]]);
}

function onlyMember(set: CodePointSet): number | null {
  const [range, more] = set.ranges;
  return range !== undefined && more === undefined && range[0] === range[1] ? range[0] : null;
}

function parseItem(reader: PatternReader, sets: PropertySets): CodePointSet {
  if (reader.skip('\\')) return parseEscape(reader, sets, 'class');
  const posix = reader.match(/\[:(\^?)([a-z]+):\]/y);
  if (posix !== null) return posixSet(reader, sets, posix[1] === '^', posix[2] ?? '');
  if (reader.skip('[')) return parseClass(reader, sets);
  return CodePointSet.ofText(reader.next());
}

const POSIX: Readonly<Record<string, readonly string[]>> = {
  alpha: ['Alphabetic'],
  alnum: ['Alphabetic', 'Nd'],
  digit: ['Nd'],
  lower: ['Lowercase'],
  upper: ['Uppercase'],
  space: ['White_Space'],
};

function posixSet(
  reader: PatternReader,
  sets: PropertySets,
  negated: boolean,
  name: string,
): CodePointSet {
  const names = POSIX[name];
  if (names === undefined) throw reader.refuse(`class [:${name}:]`);
  const set = names.reduce((all, one) => all.union(sets.get(one)), new CodePointSet([]));
  return negated ? set.complement() : set;
}
