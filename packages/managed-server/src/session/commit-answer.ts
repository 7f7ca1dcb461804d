import type { CallTokens, SegmentReason, TokenOutput } from '@hermes/protocol';
import type { PromptPlan } from './plan-prompt.ts';
import type { SampledMessage } from './recorded-message.ts';
import { appendAnswer, branchSegment, openSegment, type Segment } from './segment.ts';

/** An answer that came whole. `choice`: the first one goes on with the segment, each other is a branch. */
export type WholeAnswer = Readonly<{
  choice: number;
  output: TokenOutput;
  message: Pick<SampledMessage, 'text' | 'callIds' | 'droppedCall' | 'thought'>;
}>;

/** Writes an answer into the segments of a session, in one step: before it there is nothing of it, after it all. */
export function commitAnswer(
  segments: Segment[],
  plan: PromptPlan,
  answer: WholeAnswer,
): CallTokens {
  const segment = grownSegment(plan, answer.choice) ?? newSegment(segments, plan, answer.choice);
  const context = { ids: plan.contextIds, messages: plan.contextMessages };
  return appendAnswer(segment, context, answer.output, answer.message);
}

/** null: a new one is needed, also because another call was quicker to go on from the same answer. */
function grownSegment({ from, reason }: PromptPlan, choice: number): Segment | null {
  const mayGrow = from !== null && reason === null && choice === 0;
  return mayGrow && from.segment.ids.length === from.end ? from.segment : null;
}

function newSegment(segments: Segment[], plan: PromptPlan, choice: number): Segment {
  const { from, invocationId, key } = plan;
  const openedBecause = choice === 0 ? reasonNow(segments, plan) : 'branch';
  const given = { index: segments.length, invocationId, openedBecause, key };
  const segment =
    from === null
      ? openSegment(given)
      : branchSegment(given, from.segment, from.messageCount, from.end);
  segments.push(segment);
  return segment;
}

/** Of two calls that begin at once only one is the start. */
function reasonNow(
  segments: readonly Segment[],
  { invocationId, reason }: PromptPlan,
): SegmentReason {
  const isFirst = !segments.some((segment) => segment.invocationId === invocationId);
  return reason === null || (reason === 'start' && !isFirst) ? 'branch' : reason;
}
