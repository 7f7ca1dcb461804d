import { nearestName } from '@hermes/sandbox';

/** What may be written instead of a known name: a module that exports this. */
export function orModule(exported: string, path: string | null): string {
  const hint = path === null ? '' : `. A file of this name is there: for it write ${path}`;
  return `; or name an installed package that exports ${exported}, or a path that starts with ./${hint}`;
}

/** One sentence for an unknown name: what there is, and the nearest. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  const all = known.length === 0 ? 'none' : [...known].sort().join(', ');
  return `unknown ${kind} '${name}'.${hint} There is: ${all}`;
}
