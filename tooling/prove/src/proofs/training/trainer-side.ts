import { strict as assert } from 'node:assert';
import { type FakeTrainer, rawRequest, startFakeTrainer } from '@hermes/atropos/testing';

/** Longer sequences the trainer does not take. */
const maxTokens = 200;

/** What the trainers of one run have got. */
export type Received = {
  /** How often each item's group came. */
  readonly groups: Map<string, number>;
  batches: number;
  cutSequences: number;
};

type WireGroup = Readonly<{
  tokens: readonly (readonly number[])[];
  overrides?: readonly Readonly<{ truncated?: boolean }>[] | null;
}>;

export type Sizes = Readonly<{ group: number; batch: number }>;

/** A trainer that goes on where the one before it ended, and stops by itself after its last step. */
export function startTrainer(
  baseUrl: string,
  { group, batch: batchSize }: Sizes,
  steps: number,
  received: Received,
): FakeTrainer {
  return startFakeTrainer({
    baseUrl,
    batchSize,
    steps: steps - received.batches,
    maxTokens,
    onBatch: (batch) => take(batch as readonly WireGroup[], group, received),
  });
}

/** Fetches the batches that nobody has trained on, and says how many groups are left over. */
export async function drain(baseUrl: string, size: number, received: Received): Promise<number> {
  for (;;) {
    const { body } = await rawRequest(baseUrl, { path: '/batch' });
    const { batch } = body as { batch: readonly WireGroup[] | null };
    if (batch === null) break;
    take(batch, size, received);
  }
  const { body } = await rawRequest(baseUrl, { path: '/status' });
  return (body as { queue_size: number }).queue_size;
}

function take(batch: readonly WireGroup[], size: number, received: Received): void {
  received.batches += 1;
  for (const { tokens, overrides } of batch) {
    assert.equal(tokens.length, size, 'a group has another size than was agreed');
    assert.ok(
      tokens.every((ids) => ids.length < maxTokens),
      'a sequence is longer than the trainer takes',
    );
    received.cutSequences += overrides?.filter((one) => one.truncated).length ?? 0;
    const item = itemOf(tokens[0] ?? []);
    received.groups.set(item, (received.groups.get(item) ?? 0) + 1);
  }
}

/** The token of a scripted model is one character: the prompt can be read. */
function itemOf(ids: readonly number[]): string {
  const text = ids.map((id) => String.fromCodePoint(id)).join('');
  const item = /sum-\d+/.exec(text)?.[0];
  assert.ok(item !== undefined, `no item in ${text.slice(0, 80)}`);
  return item;
}
