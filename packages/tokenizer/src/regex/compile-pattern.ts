import type { CodePointSet } from '../unicode/code-point-set.ts';
import type { PropertySets } from '../unicode/property-sets.ts';
import { parsePattern } from './parse-pattern.ts';
import { alwaysMatches, type PatternNode } from './pattern-node.ts';

/** A JavaScript regular expression that finds exactly what Oniguruma finds with the pattern. */
export function compilePattern(text: string, sets: PropertySets): RegExp {
  const emitter = new Emitter();
  return new RegExp(emitter.emit(parsePattern(text, sets), []), 'gu');
}

/** `rest` is what follows a node; null when it is not known. */
type Rest = readonly PatternNode[] | null;

class Emitter {
  private groups = 0;

  emit(node: PatternNode, rest: Rest): string {
    switch (node.kind) {
      case 'set':
        return node.set.toClass();
      case 'sequence':
        return this.emitSequence(node.items, rest);
      case 'choice':
        return `(?:${node.items.map((item) => this.emit(item, rest)).join('|')})`;
      case 'repeat':
        return this.emitRepeat(node, rest);
      case 'atomic':
        return this.emitAtomic(this.emit(node.item, null));
      case 'look':
        return `(${node.prefix}${this.emit(node.item, null)})`;
      case 'anchor':
        return node.source;
    }
  }

  private emitSequence(items: readonly PatternNode[], rest: Rest): string {
    const parts = items.map((item, index) => {
      const after = items.slice(index + 1);
      return this.emit(item, rest === null ? after : [...after, ...rest]);
    });
    return `(?:${parts.join('')})`;
  }

  private emitRepeat(node: PatternNode & { kind: 'repeat' }, rest: Rest): string {
    const item = this.emit(node.item, null);
    const greedy = `${item}${quantifier(node.min, node.max)}`;
    if (node.mode === 'lazy') return `${greedy}?`;
    if (node.mode === 'greedy' || neverGivesWay(node.item, rest)) return greedy;
    return this.emitAtomic(greedy);
  }

  /** JavaScript has no atomic groups; what a lookahead has found is never tried again. */
  private emitAtomic(source: string): string {
    this.groups += 1;
    const name = `atomic${this.groups}`;
    return `(?:(?=(?<${name}>${source}))\\k<${name}>)`;
  }
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`;
}

/** A possessive repetition is the greedy one where giving back characters could not help what follows. */
function neverGivesWay(item: PatternNode, rest: Rest): boolean {
  if (rest === null) return false;
  if (rest.every(alwaysMatches)) return true;
  const next = rest[0];
  const set = setOf(item);
  const nextSet = next === undefined ? null : firstSet(next);
  return set !== null && nextSet !== null && set.intersect(nextSet).isEmpty;
}

function setOf(node: PatternNode): CodePointSet | null {
  if (node.kind === 'set') return node.set;
  if (node.kind !== 'sequence' || node.items.length !== 1) return null;
  const only = node.items[0];
  return only === undefined ? null : setOf(only);
}

/** The characters that the pattern must start with. */
function firstSet(node: PatternNode): CodePointSet | null {
  if (node.kind === 'repeat') return node.min > 0 ? firstSet(node.item) : null;
  return setOf(node);
}
