import { unsupported } from '../tokenizer-error.ts';
import { CodePointSet } from './code-point-set.ts';
import { UNASSIGNED } from './unassigned.ts';

/**
 * Unicode properties as sets, of the Unicode version that the reference tokenizers know: characters
 * that came later are none. Sets are made once and kept.
 */
export class PropertySets {
  private readonly made = new Map<string, CodePointSet>();
  private readonly unassigned = CodePointSet.fromHex(UNASSIGNED);

  /** A property by a name of JavaScript: `L`, `Script=Han`, `White_Space`. */
  get(name: string): CodePointSet {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const set = this.make(name);
    this.made.set(name, set);
    return set;
  }

  private make(name: string): CodePointSet {
    if (name === 'Cn') return this.unassigned;
    if (name === 'C') return this.scan('C').union(this.unassigned);
    const set = this.scan(name).minus(this.unassigned);
    if (name === 'Ll') return set.union(RECLASSIFIED);
    if (name === 'Lo') return set.minus(RECLASSIFIED);
    return set;
  }

  private scan(name: string): CodePointSet {
    const pattern = propertyPattern(name);
    const ranges: [number, number][] = [];
    for (const [first, last] of SCANNED) {
      for (let codePoint = first; codePoint <= last; codePoint += 1) {
        if (pattern.test(String.fromCodePoint(codePoint))) ranges.push([codePoint, codePoint]);
      }
    }
    for (const block of UNIFORM) {
      if (pattern.test(String.fromCodePoint(block[0]))) ranges.push(block);
    }
    return new CodePointSet(ranges);
  }
}

/** Moved from lower-case to other letters in Unicode 17. */
const RECLASSIFIED = new CodePointSet([[0x295, 0x295]]);

/** Where characters differ from their neighbours, and where all have the same properties. */
const SCANNED = [
  [0, 0x3ffff],
  [0xe0000, 0xe0fff],
  [0xffffe, 0xfffff],
  [0x10fffe, 0x10ffff],
] as const;
const UNIFORM: [number, number][] = [
  [0x40000, 0x4fffd],
  [0x50000, 0xdfffd],
  [0xe1000, 0xefffd],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
];

function propertyPattern(name: string): RegExp {
  try {
    return new RegExp(`\\p{${name}}`, 'u');
  } catch (cause) {
    if (cause instanceof SyntaxError) throw unsupported(`The Unicode property "${name}"`);
    throw cause;
  }
}
