import type {
  CompletedRollout,
  Message,
  Sampling,
  ScoredGroup,
  ScoredSequence,
  TokenSegment,
} from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { GroupRules } from './serve-rules.ts';

/**
 * A group as a trainer gets it: of each rollout one token segment, as the model sampled it. Throws
 * NOT_TRAINABLE for a rollout whose tokens no engine has told.
 */
export function scoredGroupOf(
  groupId: string,
  records: readonly CompletedRollout[],
  { segments = 'last', includeMessages = false }: Pick<GroupRules, 'segments' | 'includeMessages'>,
  { temperature }: Sampling = {},
): ScoredGroup {
  const sequences = records.map((record) =>
    sequenceOf(record, chosenSegment(record, segments), includeMessages),
  );
  return {
    groupId,
    sequences,
    ...(temperature === undefined ? {} : { generation: { temperature } }),
  };
}

function sequenceOf(
  record: CompletedRollout,
  { ids, mask, logprobs }: TokenSegment,
  includeMessages: boolean,
): ScoredSequence {
  const messages = includeMessages ? { messages: withContent(record.agent?.messages ?? []) } : {};
  const { rolloutId, reward } = record;
  return { tokens: ids, mask, logprobs, score: reward.reward, rolloutId, ...messages };
}

/** Of the root agent where it has one: a trainer wants the conversation that the reward is for. */
function chosenSegment(record: CompletedRollout, rule: 'last' | 'longest'): TokenSegment {
  const own = record.segments.filter((segment) => segment.invocationId === 'root');
  const all = own.length > 0 ? own : record.segments;
  const chosen = rule === 'last' ? all.at(-1) : all.toSorted(byLength).at(-1);
  if (!record.trainable || chosen === undefined) throw notTrainable(record);
  return chosen;
}

function byLength(one: TokenSegment, other: TokenSegment): number {
  return one.ids.length - other.ids.length;
}

/** Trainers refuse messages without a content, also those that only hold tool calls. */
function withContent(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) =>
    message.content === null ? { ...message, content: '' } : message,
  );
}

function notTrainable({ identity }: CompletedRollout): HermesError {
  const message = `The model ${identity.model.modelId} gives no token ids, and nothing else can be trained on: use a model in token space, or process for training data without tokens`;
  return new HermesError('config', 'NOT_TRAINABLE', message);
}
