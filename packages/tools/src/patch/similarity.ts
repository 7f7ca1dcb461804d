/** Longer lines are compared by their beginnings and ends only, which makes them less alike than they are. */
const LONGEST_COMPARED = 400;

/** How much comparing may still be done; what comes after counts as unlike. It bounds the time, not by a clock. */
export type Effort = { left: number };

/** 1: the same; 0: nothing in common. The share of characters in common blocks (Ratcliff and Obershelp). */
export function similarity(one: string, other: string, effort: Effort): number {
  if (one === other) return 1;
  const total = one.length + other.length;
  const ends = commonEnds(one, other);
  const rest = [inner(one, ends), inner(other, ends)] as const;
  const isLong = Math.max(rest[0].length, rest[1].length) > LONGEST_COMPARED;
  const within = isLong ? 0 : commonBlocks(rest[0], rest[1], effort);
  return (2 * (ends.before + ends.after + within)) / total;
}

type Ends = Readonly<{ before: number; after: number }>;

/** How many characters two texts share at their beginnings, and then at their ends. */
function commonEnds(one: string, other: string): Ends {
  const shorter = Math.min(one.length, other.length);
  let before = 0;
  while (before < shorter && one[before] === other[before]) before += 1;
  let after = 0;
  while (after < shorter - before && one.at(-1 - after) === other.at(-1 - after)) after += 1;
  return { before, after };
}

function inner(text: string, { before, after }: Ends): string {
  return text.slice(before, text.length - after);
}

/** The longest common block, and then what is common on either side of it. */
function commonBlocks(one: string, other: string, effort: Effort): number {
  effort.left -= one.length * other.length;
  if (one === '' || other === '' || effort.left < 0) return 0;
  const { length, inOne, inOther } = longestBlock(one, other);
  if (length === 0) return 0;
  const before = commonBlocks(one.slice(0, inOne), other.slice(0, inOther), effort);
  const after = commonBlocks(one.slice(inOne + length), other.slice(inOther + length), effort);
  return length + before + after;
}

function longestBlock(
  one: string,
  other: string,
): Readonly<{ length: number; inOne: number; inOther: number }> {
  let best = { length: 0, inOne: 0, inOther: 0 };
  let above = new Uint16Array(other.length + 1);
  for (let row = 0; row < one.length; row += 1) {
    const current = new Uint16Array(other.length + 1);
    for (let column = 0; column < other.length; column += 1) {
      if (one[row] !== other[column]) continue;
      const length = (above[column] ?? 0) + 1;
      current[column + 1] = length;
      if (length > best.length) {
        best = { length, inOne: row + 1 - length, inOther: column + 1 - length };
      }
    }
    above = current;
  }
  return best;
}
