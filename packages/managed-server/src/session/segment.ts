import type { CallTokens, SegmentReason, TokenOutput, TokenSegment } from '@hermes/protocol';
import type { RecordedMessage, SampledMessage } from './recorded-message.ts';

/** What a prompt was made with, apart from its messages: the same key renders the same way. */
export type PromptKey = string;

/** A run of tokens that grows with every answer. */
export type Segment = {
  readonly index: number;
  readonly invocationId: string;
  readonly openedBecause: SegmentReason;
  readonly key: PromptKey;
  readonly ids: number[];
  readonly mask: number[];
  readonly logprobs: number[];
  readonly weightVersions: string[];
  readonly messages: RecordedMessage[];
};

const CONTEXT_MASK = -100;
const CONTEXT_LOGPROB = 1;

/** A segment without tokens. */
export function openSegment(
  given: Pick<Segment, 'index' | 'invocationId' | 'openedBecause' | 'key'>,
): Segment {
  return { ...given, ids: [], mask: [], logprobs: [], weightVersions: [], messages: [] };
}

/** A new segment that begins like another one, up to and with a sampled message of it. */
export function branchSegment(
  given: Pick<Segment, 'index' | 'invocationId' | 'openedBecause' | 'key'>,
  from: Segment,
  messageCount: number,
  end: number,
): Segment {
  return {
    ...given,
    ids: from.ids.slice(0, end),
    mask: from.mask.slice(0, end),
    logprobs: from.logprobs.slice(0, end),
    weightVersions: [...from.weightVersions],
    messages: from.messages.slice(0, messageCount),
  };
}

/** Appends what the model was told and what it answered: the only way in which a segment grows. */
export function appendAnswer(
  segment: Segment,
  context: Readonly<{ ids: readonly number[]; messages: readonly RecordedMessage[] }>,
  output: TokenOutput,
  answer: Pick<SampledMessage, 'text' | 'callIds' | 'droppedCall' | 'thought'>,
): CallTokens {
  for (const id of context.ids) push(segment, id, CONTEXT_MASK, CONTEXT_LOGPROB);
  const promptEnd = segment.ids.length;
  // Servers round: what is a hair above 0 is 0.
  for (const [at, id] of output.ids.entries())
    push(segment, id, id, Math.min(0, output.logprobs[at] ?? Number.NaN));
  const end = segment.ids.length;
  const { weightVersion } = output;
  segment.messages.push(...context.messages, { kind: 'sampled', ...answer, promptEnd, end });
  if (weightVersion !== null && segment.weightVersions.at(-1) !== weightVersion)
    segment.weightVersions.push(weightVersion);
  return { segment: segment.index, promptEnd, end, weightVersion };
}

/** A copy for whoever asks. */
export function segmentSnapshot(segment: Segment): TokenSegment {
  const { index, invocationId, openedBecause, ids, mask, logprobs, weightVersions } = segment;
  return {
    index,
    invocationId,
    openedBecause,
    source: 'engine',
    ids: [...ids],
    mask: [...mask],
    logprobs: [...logprobs],
    weightVersions: [...weightVersions],
  };
}

function push(segment: Segment, id: number, mask: number, logprob: number): void {
  segment.ids.push(id);
  segment.mask.push(mask);
  segment.logprobs.push(logprob);
}
