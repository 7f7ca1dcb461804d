import type { CodePointSet } from '../unicode/code-point-set.ts';

/** A pattern of Oniguruma, read. */
export type PatternNode =
  | Readonly<{ kind: 'set'; set: CodePointSet }>
  | Readonly<{ kind: 'sequence'; items: readonly PatternNode[] }>
  | Readonly<{ kind: 'choice'; items: readonly PatternNode[] }>
  | Readonly<{
      kind: 'repeat';
      item: PatternNode;
      min: number;
      max: number;
      mode: 'greedy' | 'lazy' | 'possessive';
    }>
  | Readonly<{ kind: 'atomic'; item: PatternNode }>
  | Readonly<{ kind: 'look'; item: PatternNode; prefix: '?=' | '?!' | '?<=' | '?<!' }>
  | Readonly<{ kind: 'anchor'; source: string }>;

/** Whether the pattern can match nothing at every place, so that what stands before it never has to give way. */
export function alwaysMatches(node: PatternNode): boolean {
  if (node.kind === 'repeat') return node.min === 0 || alwaysMatches(node.item);
  if (node.kind === 'sequence') return node.items.every(alwaysMatches);
  if (node.kind === 'choice') return node.items.some(alwaysMatches);
  return node.kind === 'atomic' && alwaysMatches(node.item);
}
