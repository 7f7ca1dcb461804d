import { Refusal } from '../http/refusal.ts';
import type { OpenedEnvironment } from './open-environments.ts';

/** The environment of that id; without one, the only one there is. Throws a Refusal that lists them. */
export function findEnvironment(
  environments: ReadonlyMap<string, OpenedEnvironment>,
  id: string | null,
): OpenedEnvironment {
  const [only] = environments.values();
  const found = id === null && environments.size === 1 ? only : environments.get(id ?? '');
  if (found !== undefined) return found;
  const names = [...environments.keys()].join(', ');
  if (id === null)
    throw new Refusal(400, 'environment_missing', `environment: name one of ${names}.`);
  throw new Refusal(
    404,
    'environment_unknown',
    `environment: there is no ${id}. There are: ${names}.`,
  );
}
