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
  private sample: string | null = null;

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
    this.sample ??= sampleText();
    const ranges: [number, number][] = [];
    for (const match of this.sample.matchAll(propertyPattern(name, 'gu'))) {
      const run = match[0];
      ranges.push([run.codePointAt(0) ?? 0, Array.from(run.slice(-2)).at(-1)?.codePointAt(0) ?? 0]);
    }
    const single = propertyPattern(name, 'u');
    const blocks = UNIFORM.filter(([first]) => single.test(String.fromCodePoint(first)));
    return new CodePointSet([...ranges, ...blocks]);
  }
}

/** Moved from lower-case to other letters in Unicode 17. */
const RECLASSIFIED = new CodePointSet([[0x295, 0x295]]);

/** Where characters differ from their neighbours, and where all have the same properties. */
const SCANNED = [
  [0, 0xd7ff],
  [0xe000, 0x3ffff],
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

/** All characters that are looked at, in their order. */
function sampleText(): string {
  return SCANNED.map(([first, last]) => charactersOf(first, last)).join('');
}

function charactersOf(first: number, last: number): string {
  let text = '';
  for (let start = first; start <= last; start += CHUNK) {
    const length = Math.min(CHUNK, last + 1 - start);
    text += String.fromCodePoint(...Array.from({ length }, (_, index) => start + index));
  }
  return text;
}

const CHUNK = 4096;

function propertyPattern(name: string, flags: 'u' | 'gu'): RegExp {
  try {
    return new RegExp(flags === 'u' ? `\\p{${name}}` : `\\p{${name}}+`, flags);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw unsupported(`The Unicode property "${name}"`);
    throw cause;
  }
}
