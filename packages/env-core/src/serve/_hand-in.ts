import type { Shift } from './_shift-state.ts';

/** Sends what was played. How many groups the trainer has taken; null: it was lost, and the rest waits. */
export async function handIn<Data>(shift: Shift<Data>): Promise<number | null> {
  let sent = 0;
  for (let next = shift.played[0]; next !== undefined; next = shift.played[0]) {
    const settled = await shift.course.settle(next, shift.info.maxTokens);
    if (settled === null) return null;
    shift.played.shift();
    shift.mark.end(next.at);
    const { records } = next.end;
    shift.report.ended({ records, group: settled.group, durationMs: next.durationMs });
    if (settled.outcome === 'sent') sent += 1;
  }
  await shift.mark.save();
  return sent;
}
