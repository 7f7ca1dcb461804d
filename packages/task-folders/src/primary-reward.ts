/** The one number among a reward's keys. warning: why it had to be the mean; else null. */
export type PrimaryReward = Readonly<{ reward: number; warning: string | null }>;

/** `reward` if it is there, else the configured key, else the mean, with a warning. rewards: at least one key. */
export function primaryReward(
  rewards: Readonly<Record<string, number>>,
  rewardKey: string | null,
): PrimaryReward {
  for (const key of ['reward', ...(rewardKey === null ? [] : [rewardKey])]) {
    const value = Object.hasOwn(rewards, key) ? rewards[key] : undefined;
    if (value !== undefined) return { reward: value, warning: null };
  }
  const values = Object.values(rewards);
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const missing =
    rewardKey === null ? 'no key `reward`' : `neither \`reward\` nor \`${rewardKey}\``;
  return { reward: mean, warning: `reward.json has ${missing}: the mean of its keys was taken` };
}
