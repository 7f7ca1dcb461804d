import { rawRequest } from '../../src/testing/index.ts';

/** A trainer with batches of 4 sequences, and one environment with groups of 2. */
export async function startRun(baseUrl: string): Promise<void> {
  const trainer = {
    wandb_group: 'g',
    wandb_project: 'p',
    batch_size: 4,
    max_token_len: 512,
    checkpoint_dir: '',
    save_checkpoint_interval: 10,
    starting_step: 0,
    num_steps: 100,
  };
  const environment = { max_token_length: 512, desired_name: 'x', weight: 1, group_size: 2 };
  await rawRequest(baseUrl, { path: '/register', body: trainer });
  await rawRequest(baseUrl, { path: '/batch' });
  await rawRequest(baseUrl, { path: '/register-env', body: environment });
}

/** The body of a group that its first token tells apart. */
export function wireGroup(mark: number, size: number): object {
  const sequences = Array.from({ length: size }, () => [mark, 7, 8]);
  return {
    tokens: sequences,
    masks: sequences.map(() => [-100, 7, 8]),
    scores: sequences.map((_one, index) => index),
    inference_logprobs: sequences.map(() => [1, -0.5, -0.25]),
    env_id: 0,
  };
}

/** Takes a batch and returns the marks of its groups; null = there is none. */
export async function batchMarks(baseUrl: string): Promise<readonly number[] | null> {
  const { body } = await rawRequest(baseUrl, { path: '/batch' });
  const { batch } = body as { batch: readonly { tokens: number[][] }[] | null };
  return batch === null ? null : batch.map(({ tokens }) => tokens[0]?.[0] ?? Number.NaN);
}
