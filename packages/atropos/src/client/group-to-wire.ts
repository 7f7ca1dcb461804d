import type { JsonObject, JsonValue, Message, ScoredGroup, ScoredSequence } from '@hermes/protocol';

/** A group in the names of the wire. What is unset is left out, never a list of nulls. */
export function groupToWire(group: ScoredGroup, environmentId: number): JsonObject {
  const { sequences } = group;
  return {
    tokens: sequences.map(({ tokens }) => tokens),
    masks: sequences.map(({ mask }) => mask),
    scores: sequences.map(({ score }) => score),
    inference_logprobs: sequences.map(({ logprobs }) => logprobs),
    ...column('advantages', sequences, ({ advantages }) => advantages),
    ...column('ref_logprobs', sequences, ({ refLogprobs }) => refLogprobs),
    ...column('messages', sequences, wireMessages, []),
    ...column('overrides', sequences, ({ overrides }) => overrides, {}),
    ...column('distill_token_ids', sequences, ({ distillIds }) => distillIds),
    ...column('distill_logprobs', sequences, ({ distillLogprobs }) => distillLogprobs),
    ...(group.groupOverrides && { group_overrides: group.groupOverrides }),
    ...(group.generation && { generation_params: group.generation }),
    env_id: environmentId,
  };
}

/** One optional value a sequence, where any sequence has it; `absent` stands for those that have none. */
function column(
  name: string,
  sequences: readonly ScoredSequence[],
  read: (sequence: ScoredSequence) => JsonValue | undefined,
  absent: JsonValue = [],
): JsonObject {
  const values = sequences.map(read);
  if (values.every((value) => value === undefined)) return {};
  return { [name]: values.map((value) => value ?? absent) };
}

function wireMessages({ messages }: ScoredSequence): JsonValue | undefined {
  return messages?.map(wireMessage);
}

/** The trainer refuses a message without the key `content`; with tool calls alone it is often absent or null. */
function wireMessage(message: Message): JsonObject {
  return { ...message, content: message.content ?? '' } as unknown as JsonObject;
}
