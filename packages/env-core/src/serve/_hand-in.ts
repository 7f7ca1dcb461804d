import type { Shift } from './_shift-state.ts';
import { sampledIn } from './_training-values.ts';

/** Sends what was played. How many groups the trainer has taken; null: it was lost, and the rest waits. */
export async function handIn<Data>(shift: Shift<Data>): Promise<number | null> {
  let sent = 0;
  for (let next = shift.played[0]; next !== undefined; next = shift.played[0]) {
    const settled = await shift.course.settle(next, shift.info.maxTokens);
    if (settled === null) return null;
    shift.played.shift();
    shift.mark.end(next.at);
    const lengths = settled.group?.sequences.map(({ mask }) => sampledIn(mask)) ?? null;
    shift.report.ended({ records: next.end.records, lengths, durationMs: next.durationMs });
    if (settled.outcome === 'sent') sent += 1;
  }
  await shift.mark.save();
  return sent;
}
