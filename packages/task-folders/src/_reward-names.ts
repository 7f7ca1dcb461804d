import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './_digest.ts';
import { REWARD_FILES, type RewardFileName } from './parse-reward.ts';

const MAX_SEARCHED_BYTES = 1024 * 1024;

/**
 * The reward files that the verifier can be meant to write: those that a file of `tests` names, both where none does or
 * where one is too large to search. Another is not the verifier's, but of the answer that it ran.
 */
export async function rewardNamesOf(dir: string): Promise<readonly RewardFileName[]> {
  const named = new Set<RewardFileName>();
  for (const { path, isLink } of await listFiles(dir, 'tests')) {
    if (isLink) continue;
    const file = join(dir, path);
    if ((await stat(file)).size > MAX_SEARCHED_BYTES) return REWARD_FILES;
    const bytes = await readFile(file);
    for (const name of REWARD_FILES) if (bytes.includes(name)) named.add(name);
  }
  return named.size === 0 ? REWARD_FILES : REWARD_FILES.filter((name) => named.has(name));
}
