import type { Environment } from './environment.ts';
import { REFUSED_FILTERS } from './refused-filters.ts';
import { failure } from './template-failure.ts';

/**
 * Jinja refuses a template with an unknown filter or test as a whole, unless it stands directly in a
 * branch of an `if`: then only when that branch is taken.
 */
export function checkNames(tree: unknown, environment: Environment, isSoft = false): void {
  if (typeof tree !== 'object' || tree === null) return;
  const kind = 'kind' in tree ? tree.kind : null;
  if (!isSoft) checkName(kind, 'name' in tree ? tree.name : null, environment);
  const parts = Object.entries(tree);
  for (const [key, part] of parts) checkNames(part, environment, softness(kind, key, isSoft));
}

function checkName(kind: unknown, name: unknown, environment: Environment): void {
  if (
    kind === 'filter' &&
    !REFUSED_FILTERS.has(String(name)) &&
    !environment.filters.has(String(name))
  )
    throw failure(`No filter named '${String(name)}'.`);
  if (kind === 'test' && !environment.tests.has(String(name)))
    throw failure(`No test named '${String(name)}'.`);
}

/** Loops, macros and the like are blocks of their own again. */
function softness(kind: unknown, key: string, isSoft: boolean): boolean {
  if (kind === 'if' || kind === 'condition') return true;
  return key === 'body' && typeof kind === 'string' && OWN_FRAMES.has(kind) ? false : isSoft;
}

const OWN_FRAMES = new Set([
  'for',
  'macro',
  'call_block',
  'filter_block',
  'set_block',
  'generation',
  'with',
]);
