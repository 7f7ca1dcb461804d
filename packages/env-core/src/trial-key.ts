import { createHash } from 'node:crypto';
import type { Seeds, TrialIdentity } from '@hermes/protocol';
import { canonicalJson } from './_canonical-json.ts';
import { hashToUint32 } from './_seeded-random.ts';

/** The stable name of a trial: the same identity gives the same key in every run and every process. */
export function trialKey(identity: TrialIdentity): string {
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}

/** The rollout's seed depends on the run's seed and the trial, never on the order in which trials run. */
export function seedsOf(runSeed: number, key: string): Seeds {
  return { run: runSeed, rollout: hashToUint32(`${runSeed}/${key}`) };
}
