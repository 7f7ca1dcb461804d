import type { RolloutRecord } from '@hermes/protocol';
import type { GroupLog } from '../_group-log.ts';
import type { OpenRun } from '../_run-scope.ts';
import type { RunOptions } from '../run-options.ts';
import type { Bell } from './_bell.ts';
import type { Course, Played } from './_course.ts';
import type { DataMark } from './_data-mark.ts';
import type { Evaluations } from './_evaluation.ts';
import type { ItemSource } from './_item-source.ts';
import type { Joined, TrainerInfo, TrainerLink } from './_trainer-link.ts';
import type { TrainingReport } from './_training-report.ts';
import type { ServeRules } from './serve-rules.ts';

/** What a run that feeds a trainer consists of. */
export type Shift<Data> = {
  readonly run: OpenRun<Data>;
  readonly options: RunOptions<Data> & ServeRules;
  readonly log: GroupLog | null;
  readonly link: TrainerLink;
  readonly course: Course<Data>;
  readonly mark: DataMark;
  readonly source: ItemSource<Data>;
  readonly evaluations: Evaluations;
  readonly report: TrainingReport;
  readonly bell: Bell;
  /** Whole records of groups that an earlier process could not bring to their end, by trial key. */
  readonly known: ReadonlyMap<string, RolloutRecord>;
  readonly records: RolloutRecord[];
  /** Groups under way. */
  readonly playing: Set<Promise<void>>;
  /** Groups on their way to the trainer, the oldest first. */
  readonly played: Played<Data>[];
  joined: Joined;
  info: TrainerInfo;
  step: number;
  trainerLost: number;
};
