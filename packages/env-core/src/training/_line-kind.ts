import { HermesError } from '@hermes/protocol';
import type { FinishedGroup } from '../process-rules.ts';
import type { ExistingLine } from './_existing-lines.ts';
import { groupLines } from './_group-line.ts';
import { messagesLines } from './_messages-line.ts';
import { sharegptLines } from './_sharegpt-line.ts';
import { tokensLines } from './_tokens-line.ts';
import type { TrainingFormat, TrainingLine, TrainingLines } from './training-format.ts';

/** What the lines of a file are; absent: trajectories as messages. */
export type LineKind = Readonly<{ format?: TrainingFormat; lines?: TrainingLines }>;

/** The lines of this kind that a group makes. */
export function linesOf(
  group: FinishedGroup,
  { format = 'messages', lines = 'trajectories' }: LineKind,
): readonly TrainingLine[] {
  if (lines === 'groups') return groupLines(group, format);
  if (format === 'tokens') return tokensLines(group);
  return format === 'sharegpt' ? sharegptLines(group) : messagesLines(group);
}

/** Throws TRAINING_FILE for a line of another kind: what is to be appended must fit what is there. */
export function refuseOtherKind(
  path: string,
  line: ExistingLine,
  { format = 'messages', lines = 'trajectories' }: LineKind,
): void {
  const isOfKind =
    lines === 'groups'
      ? 'scores' in line && 'messages' in line === (format === 'messages')
      : CONTENT[format] in line && !('scores' in line);
  if (isOfKind) return;
  const message = `${path} holds lines of another format than are to be added: go on with the --format and --lines that it was begun with, or choose another file`;
  throw new HermesError('data', 'TRAINING_FILE', message);
}

const CONTENT = { messages: 'messages', sharegpt: 'conversations', tokens: 'tokens' } as const;
