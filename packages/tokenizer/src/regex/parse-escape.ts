import { CodePointSet } from '../unicode/code-point-set.ts';
import type { PropertySets } from '../unicode/property-sets.ts';
import type { PatternReader } from './pattern-reader.ts';

/**
 * Reads the set of characters that an escape stands for; the backslash is passed already. In a class
 * `\w` has a few characters less than outside of one, as in Oniguruma.
 */
export function parseEscape(
  reader: PatternReader,
  sets: PropertySets,
  place: 'pattern' | 'class',
): CodePointSet {
  const property = reader.match(/([pP])\{(\^?)([^}]+)\}/y);
  if (property !== null) return propertyOf(reader, sets, property);
  const code = reader.match(/x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,8})\}|u([0-9A-Fa-f]{4})/y);
  if (code !== null) return single(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16));
  const letter = reader.next();
  const shorthand = shorthandOf(letter, sets, place);
  if (shorthand !== null) return shorthand;
  const control = CONTROLS[letter];
  if (control !== undefined) return single(control);
  if (/[\p{L}\p{N}]/u.test(letter)) throw reader.refuse(`escape \\${letter}`);
  return CodePointSet.ofText(letter);
}

const CONTROLS: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  f: 12,
  v: 11,
  a: 7,
  e: 27,
};

function single(codePoint: number): CodePointSet {
  return new CodePointSet([[codePoint, codePoint]]);
}

/** The shorthands; upper case is the complement. */
function shorthandOf(
  letter: string,
  sets: PropertySets,
  place: 'pattern' | 'class',
): CodePointSet | null {
  const positive = positiveShorthand(letter.toLowerCase(), sets, place);
  if (positive === null) return null;
  return letter === letter.toLowerCase() ? positive : positive.complement();
}

function positiveShorthand(
  letter: string,
  sets: PropertySets,
  place: 'pattern' | 'class',
): CodePointSet | null {
  if (letter === 's') return sets.get('White_Space');
  if (letter === 'd') return sets.get('Nd');
  if (letter === 'h') return CodePointSet.fromHex('30-39 41-46 61-66');
  if (letter !== 'w') return null;
  return place === 'class' ? classWordSet(sets) : wordSet(sets);
}

/** What `\w` matches, and what `\b` looks for. */
export function wordSet(sets: PropertySets): CodePointSet {
  return classWordSet(sets).union(CodePointSet.fromHex('b2-b3 b9 bc-be'));
}

function classWordSet(sets: PropertySets): CodePointSet {
  return ['Alphabetic', 'M', 'Nd', 'Pc'].reduce(
    (set, name) => set.union(sets.get(name)),
    new CodePointSet([]),
  );
}

function propertyOf(
  reader: PatternReader,
  sets: PropertySets,
  match: RegExpExecArray,
): CodePointSet {
  const [, letter = '', caret = '', name = ''] = match;
  const set = namedSet(reader, sets, name);
  return (letter === 'P') !== (caret === '^') ? set.complement() : set;
}

function namedSet(reader: PatternReader, sets: PropertySets, name: string): CodePointSet {
  if (CATEGORIES.has(name)) return sets.get(name);
  if (SCRIPTS.has(name)) return sets.get(`Script=${name}`);
  const other = NAMED[name.toLowerCase()];
  if (other !== undefined) return sets.get(other);
  throw reader.refuse(`property ${name}`);
}

const CATEGORIES = new Set(
  'L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Cn Co'.split(
    ' ',
  ),
);

const SCRIPTS = new Set(
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Tamil Telugu Thai Tibetan'.split(
    ' ',
  ),
);

const NAMED: Readonly<Record<string, string>> = {
  letter: 'L',
  mark: 'M',
  number: 'N',
  punctuation: 'P',
  symbol: 'S',
  separator: 'Z',
  other: 'C',
  alpha: 'Alphabetic',
  alphabetic: 'Alphabetic',
  digit: 'Nd',
  space: 'White_Space',
  white_space: 'White_Space',
  lowercase: 'Lowercase',
  lower: 'Lowercase',
  uppercase: 'Uppercase',
  upper: 'Uppercase',
};
