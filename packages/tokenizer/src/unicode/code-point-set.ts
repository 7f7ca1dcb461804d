/** An inclusive range of code points. */
export type CodePointRange = readonly [first: number, last: number];

const LAST = 0x10ffff;

/** A set of Unicode code points: sorted ranges that do not touch. */
export class CodePointSet {
  readonly ranges: readonly CodePointRange[];

  constructor(ranges: readonly CodePointRange[]) {
    this.ranges = joined(ranges);
  }

  /** From text as the tables of this package have it: `41-5a 5f`, hexadecimal. */
  static fromHex(text: string): CodePointSet {
    return new CodePointSet(text.split(' ').map(hexRange));
  }

  /** The characters of a text. */
  static ofText(text: string): CodePointSet {
    return new CodePointSet(
      Array.from(text, (character) => {
        const codePoint = character.codePointAt(0) ?? 0;
        return [codePoint, codePoint];
      }),
    );
  }

  union(other: CodePointSet): CodePointSet {
    return new CodePointSet([...this.ranges, ...other.ranges]);
  }

  complement(): CodePointSet {
    const rest: CodePointRange[] = [];
    let next = 0;
    for (const [first, last] of this.ranges) {
      if (first > next) rest.push([next, first - 1]);
      next = last + 1;
    }
    if (next <= LAST) rest.push([next, LAST]);
    return new CodePointSet(rest);
  }

  intersect(other: CodePointSet): CodePointSet {
    return this.complement().union(other.complement()).complement();
  }

  minus(other: CodePointSet): CodePointSet {
    return this.intersect(other.complement());
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  has(codePoint: number): boolean {
    let low = 0;
    let high = this.ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [first, last] = this.ranges[middle] ?? [0, -1];
      if (codePoint < first) high = middle - 1;
      else if (codePoint > last) low = middle + 1;
      else return true;
    }
    return false;
  }

  /** The set as a character class of a JavaScript regular expression with the flag `u`. */
  toClass(): string {
    return `[${this.ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}]`;
  }
}

function joined(ranges: readonly CodePointRange[]): CodePointRange[] {
  const sorted = [...ranges].sort((one, other) => one[0] - other[0]);
  const result: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = result.at(-1);
    if (previous !== undefined && first <= previous[1] + 1)
      previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}

function hexRange(text: string): CodePointRange {
  const [first = '', last = first] = text.split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}
