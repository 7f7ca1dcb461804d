import { Refusal } from '../http/refusal.ts';
import { health, listEnvironments, listItems } from './environment-routes.ts';
import { getMetadata, getSchema, getState, postReset, postStep } from './open-env-routes.ts';
import { postRollouts } from './rollout-route.ts';
import type { Route } from './route.ts';

const routes: readonly Route[] = [
  { method: 'GET', path: '/health', access: 'anybody', serve: health },
  { method: 'GET', path: '/environments', access: 'token', serve: listEnvironments },
  { method: 'GET', path: '/environments/:id/items', access: 'token', serve: listItems },
  { method: 'POST', path: '/rollouts', access: 'token', serve: postRollouts },
  { method: 'POST', path: '/reset', access: 'token', serve: postReset },
  { method: 'POST', path: '/step', access: 'token', serve: postStep },
  { method: 'GET', path: '/state', access: 'token', serve: getState },
  { method: 'GET', path: '/schema', access: 'token', serve: getSchema },
  { method: 'GET', path: '/metadata', access: 'token', serve: getMetadata },
];

/** Throws a Refusal: 404 no such path, 405 another method. */
export function findRoute(method: string, path: string): Readonly<{ route: Route; part: string }> {
  const fitting = routes.filter((route) => partOf(route.path, path) !== null);
  const route = fitting.find((one) => one.method === method);
  if (route !== undefined) return { route, part: partOf(route.path, path) ?? '' };
  const [other] = fitting;
  if (other === undefined) throw new Refusal(404, 'not_found', `There is no ${path}.`);
  throw new Refusal(405, 'method_not_allowed', `${path} takes ${other.method}.`);
}

/** What stands at `:id`; '' where the path has none; null = the path is another one. */
function partOf(pattern: string, path: string): string | null {
  const [before = '', after] = pattern.split(':id');
  if (after === undefined) return pattern === path ? '' : null;
  const part = path.slice(before.length, path.length - after.length);
  const fits = path.startsWith(before) && path.endsWith(after) && /^[^/]+$/.test(part);
  return fits ? decoded(part) : null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // no valid escape: then it is the text itself
    return part;
  }
}
