import type { IdMaker, Message, ScoredGroup, ScoredSequence } from '@hermes/protocol';
import type { WireGroup } from './wire-schemas.ts';

/** A group of a batch. The wire has no ids of groups and rollouts, so they are made here. */
export function groupFromWire(group: WireGroup, newId: IdMaker): ScoredGroup {
  return {
    groupId: newId('group'),
    sequences: group.tokens.map((tokens, index) => sequenceAt(group, tokens, index, newId)),
    ...(group.group_overrides && { groupOverrides: group.group_overrides }),
    ...(group.generation_params && { generation: group.generation_params }),
  };
}

function sequenceAt(
  group: WireGroup,
  tokens: readonly number[],
  index: number,
  newId: IdMaker,
): ScoredSequence {
  const messages = group.messages?.[index] as readonly Message[] | undefined;
  return {
    tokens,
    mask: group.masks[index] ?? [],
    logprobs: group.inference_logprobs?.[index] ?? [],
    score: group.scores[index] ?? Number.NaN,
    rolloutId: newId('rollout'),
    ...optional('advantages', group.advantages?.[index]),
    ...optional('refLogprobs', group.ref_logprobs?.[index]),
    ...optional('messages', messages),
    ...optional('overrides', group.overrides?.[index]),
    ...optional('distillIds', group.distill_token_ids?.[index]),
    ...optional('distillLogprobs', group.distill_logprobs?.[index]),
  };
}

function optional<Name extends string, T>(
  name: Name,
  value: T | undefined,
): { readonly [Key in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: T });
}
