import type { Change } from './diff-sequences.ts';
import type { Splice } from './edit-types.ts';

/** Changes of lines as changes of the text that they make up. */
export function splicesFor(
  changes: readonly Change[],
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly Splice[] {
  const offsets = [0];
  for (const line of oldLines) offsets.push((offsets.at(-1) ?? 0) + line.length + 1);
  return changes.flatMap(lineByLine).map((change) => spliceFor(change, offsets, newLines));
}

/** As many lines as before: each keeps the line ending of the one that it replaces. */
function lineByLine({ oldStart, oldEnd, newStart, newEnd }: Change): readonly Change[] {
  const count = oldEnd - oldStart;
  if (count !== newEnd - newStart) return [{ oldStart, oldEnd, newStart, newEnd }];
  return Array.from({ length: count }, (_, index) => ({
    oldStart: oldStart + index,
    oldEnd: oldStart + index + 1,
    newStart: newStart + index,
    newEnd: newStart + index + 1,
  }));
}

/** Where no line is left, or none was there, a newline goes or comes with them: the last line has none of its own. */
function spliceFor(
  { oldStart, oldEnd, newStart, newEnd }: Change,
  offsets: readonly number[],
  newLines: readonly string[],
): Splice {
  const text = newLines.slice(newStart, newEnd).join('\n');
  const start = offsets[oldStart] ?? 0;
  const next = offsets[oldEnd] ?? 0;
  const isAtEnd = oldEnd === offsets.length - 1;
  if (oldStart === oldEnd) {
    return isAtEnd
      ? { start: start - 1, end: start - 1, text: `\n${text}` }
      : { start, end: start, text: `${text}\n` };
  }
  if (newStart !== newEnd) return { start, end: next - 1, text };
  return isAtEnd ? { start: start - 1, end: next - 1, text } : { start, end: next, text };
}
