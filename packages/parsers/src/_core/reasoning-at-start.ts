import type { TextMarker } from './format.ts';
import type { Machine } from './machine.ts';

/** Reasoning tags that are ordinary phrases count only at the start of the text. */
export function isReasoningTagBehindStart(machine: Machine, { kind }: TextMarker): boolean {
  const isTag = kind === 'reasoningOpen' || (kind === 'reasoningClose' && !machine.isReasoning);
  return isTag && !machine.isAtStart;
}
