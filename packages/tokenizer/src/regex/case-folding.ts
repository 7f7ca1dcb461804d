import { CodePointSet } from '../unicode/code-point-set.ts';

/** Letters outside of ASCII that are another case of an ASCII letter: the long s and the Kelvin sign. */
const FOREIGN_CASES: readonly (readonly [string, number])[] = [
  ['s', 0x17f],
  ['k', 0x212a],
];

/**
 * The set with both cases of its letters, or null where letters outside of ASCII would have to be
 * folded: only sets that hold all or none of those are the same in every engine.
 */
export function withBothCases(set: CodePointSet): CodePointSet | null {
  const beyond = set.minus(new CodePointSet([[0, 0x7f]]));
  if (!beyond.isEmpty && !holdsWholeAlphabets(set)) return null;
  let folded = set;
  for (let letter = 0x61; letter <= 0x7a; letter += 1) {
    if (set.has(letter) || set.has(letter - 32))
      folded = folded.union(CodePointSet.fromHex(`${hex(letter)} ${hex(letter - 32)}`));
  }
  for (const [letter, other] of FOREIGN_CASES) {
    if (folded.has(letter.charCodeAt(0))) folded = folded.union(new CodePointSet([[other, other]]));
  }
  return folded;
}

/** True when every letter with two cases is in the set with both, or with neither. */
function holdsWholeAlphabets(set: CodePointSet): boolean {
  for (let codePoint = 0x80; codePoint <= 0x1ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    const has = set.has(codePoint);
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if (other !== character && set.has(other.codePointAt(0) ?? 0) !== has) return false;
    }
  }
  return true;
}

function hex(codePoint: number): string {
  return codePoint.toString(16);
}
