import type { EnvironmentBody, TrainerBody } from '../wire/registrations.ts';

/** What a group's line in the log says of it; the line after has its JSON. */
export type GroupHead = Readonly<{
  size: number;
  environmentId: number | null;
  isFinite: boolean;
}>;

/** One change of the queue. The log is a list of these; the state is what comes out of applying them in order. */
export type ChangeRecord = Readonly<
  | { type: 'trainer'; body: TrainerBody }
  | { type: 'environment'; body: EnvironmentBody }
  | { type: 'disconnect'; environmentId: number }
  | { type: 'groups'; isList: boolean; key: string | null; heads: readonly GroupHead[] }
  | { type: 'start' }
  | { type: 'batches'; batches: readonly (readonly number[])[] }
  | { type: 'taken'; batchId: number }
  | { type: 'group_size'; environmentId: number; groupSize: number }
  | { type: 'reset' }
>;
