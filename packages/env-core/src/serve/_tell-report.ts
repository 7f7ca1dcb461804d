import type { Shift } from './_shift-state.ts';
import type { ReportPlace } from './_training-report.ts';

/** Tells what happened since the last report, where it is enough. */
export function tellReport<Data>(shift: Shift<Data>): void {
  const { skipped, truncated, segmentsLeftOut } = shift.course.counts();
  const reasons = Object.entries(skipped).map(([reason, count]) => [
    `train/groups_skipped/${reason}`,
    count,
  ]);
  shift.report.tell(placeOf(shift), {
    ...Object.fromEntries(reasons),
    'train/sequences_truncated': truncated,
    'train/segments_left_out': segmentsLeftOut,
    'train/trainer_lost': shift.trainerLost,
  });
}

/** Where a report of now belongs. */
export function placeOf<Data>({ run, step, joined, info }: Shift<Data>): ReportPlace {
  const { wallMs } = run.context.effects.clock.now();
  return { step, wallMs, prefix: joined.name, maxTokens: info.maxTokens };
}
