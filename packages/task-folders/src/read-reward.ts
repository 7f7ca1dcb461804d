import type { ToolContext } from '@hermes/tools';
import { readSmallFile } from './_small-file.ts';
import {
  type ParsedReward,
  parseReward,
  REWARD_FILES,
  type RewardFileName,
} from './parse-reward.ts';

const MAX_REWARD_BYTES = 1024 * 1024;

/** What the verifier left: the file that counts (null = none) and what it says. */
export type FoundReward = Readonly<{ file: RewardFileName | null; parsed: ParsedReward }>;

/** The first of the named files of which anything is there; never merged, and a broken json is not rescued by a txt. */
export async function readReward(
  tools: ToolContext,
  verifierDir: string,
  names: readonly RewardFileName[] = REWARD_FILES,
): Promise<FoundReward> {
  for (const name of names) {
    const found = await readOne(tools, verifierDir, name);
    if (found !== null) return found;
  }
  const message = `the verifier wrote no ${names.join(' and no ')} to ${verifierDir}`;
  return { file: null, parsed: { ok: false, cause: 'reward_missing', message } };
}

async function readOne(
  tools: ToolContext,
  verifierDir: string,
  file: RewardFileName,
): Promise<FoundReward | null> {
  const content = await readSmallFile(tools, `${verifierDir}/${file}`, MAX_REWARD_BYTES);
  if (content.kind === 'missing') return null;
  if (content.kind === 'bytes') return { file, parsed: parseReward(file, content.bytes) };
  const cause = content.kind === 'refused' ? 'reward_unparsable' : 'verifier_download';
  return { file, parsed: { ok: false, cause, message: content.message } };
}
