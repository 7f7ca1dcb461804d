import { createHash } from 'node:crypto';
import type { ScoredGroup } from '@hermes/protocol';

/** Made from the ids alone, so that a process that goes on where a killed one was sends under the same key. */
export function keyOfGroups(groups: readonly Pick<ScoredGroup, 'groupId'>[]): string {
  const ids = JSON.stringify(groups.map(({ groupId }) => groupId));
  return createHash('sha256').update(ids).digest('base64url');
}
