import { nearestName } from '@hermes/sandbox';

/** One sentence for an unknown name: what there is, and the nearest. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `unknown ${kind} '${name}'.${hint} There is: ${[...known].sort().join(', ')}`;
}
