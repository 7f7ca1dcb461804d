import { CodePointSet } from '../unicode/code-point-set.ts';
import type { PropertySets } from '../unicode/property-sets.ts';
import { withBothCases } from './case-folding.ts';
import { parseClass } from './parse-class.ts';
import { parseEscape, wordSet } from './parse-escape.ts';
import type { PatternNode } from './pattern-node.ts';
import { PatternReader } from './pattern-reader.ts';

/** Reads a pattern of Oniguruma, the engine of the reference tokenizers. Refuses by name what it cannot render exactly. */
export function parsePattern(text: string, sets: PropertySets): PatternNode {
  const parser = new PatternParser(new PatternReader(text), sets);
  return parser.parse();
}

class PatternParser {
  private ignoreCase = false;
  private readonly reader: PatternReader;
  private readonly sets: PropertySets;

  constructor(reader: PatternReader, sets: PropertySets) {
    this.reader = reader;
    this.sets = sets;
  }

  parse(): PatternNode {
    const node = this.parseChoice();
    if (!this.reader.atEnd) throw this.reader.refuse('a bracket too many');
    return node;
  }

  private parseChoice(): PatternNode {
    const items = [this.parseSequence()];
    while (this.reader.skip('|')) items.push(this.parseSequence());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'choice', items };
  }

  private parseSequence(): PatternNode {
    const items: PatternNode[] = [];
    while (!this.reader.atEnd && !/[|)]/.test(this.reader.peek())) {
      const switched = this.reader.match(/\(\?(-?)i\)/y);
      if (switched === null) items.push(this.parseRepeat());
      else this.ignoreCase = switched[1] !== '-';
    }
    return { kind: 'sequence', items };
  }

  private parseRepeat(): PatternNode {
    let node = this.parseAtom();
    for (;;) {
      const repeated = this.parseQuantifier(node);
      if (repeated === null) return node;
      node = repeated;
    }
  }

  /** A `+` after braces repeats once more; after the other quantifiers it makes them possessive. */
  private parseQuantifier(item: PatternNode): PatternNode | null {
    const simple = this.reader.match(/([*+?])([?+]?)/y);
    if (simple !== null) {
      const [, sign = '', suffix = ''] = simple;
      const mode = suffix === '?' ? 'lazy' : suffix === '+' ? 'possessive' : 'greedy';
      return {
        kind: 'repeat',
        item,
        min: sign === '+' ? 1 : 0,
        max: sign === '?' ? 1 : Infinity,
        mode,
      };
    }
    const braces = this.reader.match(/\{(\d*)(,?)(\d*)\}(\??)/y);
    if (braces === null) return null;
    const [, low = '', comma = '', high = '', lazy = ''] = braces;
    if (low === '' && high === '') throw this.reader.refuse('braces without a number');
    const min = Number(low === '' ? 0 : low);
    const max = comma === '' ? min : Number(high === '' ? Infinity : high);
    if (lazy !== '' && comma === '') throw this.reader.refuse('a lazy fixed count');
    return { kind: 'repeat', item, min, max, mode: lazy === '' ? 'greedy' : 'lazy' };
  }

  private parseAtom(): PatternNode {
    if (this.reader.skip('(')) return this.parseGroup();
    const anchor = this.parseAnchor();
    if (anchor !== null) return anchor;
    return { kind: 'set', set: this.parseSet() };
  }

  private parseSet(): CodePointSet {
    if (this.reader.skip('.')) return CodePointSet.ofText('\n').complement();
    if (this.reader.skip('[')) {
      const set = parseClass(this.reader, this.sets);
      if (!this.ignoreCase) return set;
      return this.foldedClass(set);
    }
    if (this.reader.skip('\\')) return parseEscape(this.reader, this.sets, 'pattern');
    const character = this.reader.next();
    if (/[*+?]/.test(character)) throw this.reader.refuse('a quantifier of nothing');
    const set = CodePointSet.ofText(character);
    return this.ignoreCase ? this.foldedLiteral(character, set) : set;
  }

  /** A class is the same without regard to case when no letter of it has another case outside of it. */
  private foldedClass(set: CodePointSet): CodePointSet {
    const folded = withBothCases(set);
    if (folded === null) throw this.reader.refuse('a class without regard to case');
    return folded;
  }

  /** Oniguruma also folds one character to several (`ss`), which no class of characters can say. */
  private foldedLiteral(character: string, set: CodePointSet): CodePointSet {
    const before = this.reader.text.slice(0, this.reader.position);
    const folded = withBothCases(set);
    if (folded === null || /(?:ss|ff|fi|fl|st|[^\0-\x7f])$/i.test(before))
      throw this.reader.refuse(`"${character}" without regard to case`);
    return folded;
  }

  private parseGroup(): PatternNode {
    const outer = this.ignoreCase;
    const kind = this.parseGroupKind();
    const item = this.parseChoice();
    if (!this.reader.skip(')')) throw this.reader.refuse('a bracket that stays open');
    this.ignoreCase = outer;
    if (kind === 'group') return { kind: 'sequence', items: [item] };
    return kind === 'atomic' ? { kind: 'atomic', item } : { kind: 'look', item, prefix: kind };
  }

  private parseGroupKind(): 'group' | 'atomic' | '?=' | '?!' | '?<=' | '?<!' {
    const look = this.reader.match(/\?=|\?!|\?<=|\?<!/y)?.[0];
    if (look === '?=' || look === '?!' || look === '?<=' || look === '?<!') return look;
    if (this.reader.skip('?>')) return 'atomic';
    if (this.reader.match(/\?:|\?<[A-Za-z_]\w*>/y) !== null) return 'group';
    const options = this.reader.match(/\?(-?)i:/y);
    if (options !== null) this.ignoreCase = options[1] !== '-';
    else if (this.reader.peek() === '?') throw this.reader.refuse('this kind of group');
    return 'group';
  }

  private parseAnchor(): PatternNode | null {
    const anchor = this.reader.match(/\^|\$|\\[AzZbBGKRXk1-9]/y)?.[0];
    if (anchor === undefined) return null;
    const source = anchor === '\\b' || anchor === '\\B' ? this.boundary(anchor) : ANCHORS[anchor];
    if (source === undefined) throw this.reader.refuse(`escape ${anchor}`);
    return { kind: 'anchor', source };
  }

  private boundary(anchor: '\\b' | '\\B'): string {
    const word = wordSet(this.sets).toClass();
    const [after, before] = anchor === '\\b' ? ['?!', '?='] : ['?=', '?!'];
    return `(?:(?<=${word})(${after}${word})|(?<!${word})(${before}${word}))`;
  }
}

/** Lines begin and end at `\n`; after the last one no line begins. */
const ANCHORS: Readonly<Record<string, string>> = {
  '^': '(?:(?<![\\s\\S])|(?<=\\n)(?=[\\s\\S]))',
  $: '(?=\\n|(?![\\s\\S]))',
  '\\A': '(?<![\\s\\S])',
  '\\z': '(?![\\s\\S])',
  '\\Z': '(?=\\n?(?![\\s\\S]))',
};
