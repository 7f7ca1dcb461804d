import type { FileChange } from './commit-changes.ts';
import { createDrafts, type OpenTarget } from './drafts.ts';
import type { EditOutcome } from './edit-types.ts';
import type { PatchOperation } from './parse-patch.ts';
import { isFailure, type PatchFailure, type PatchTarget } from './patch-target.ts';
import { change, planOperation, type Step } from './plan-operation.ts';

/** What a patch comes to, with nothing of it done yet. Paths as the model spells them. */
export type PatchPlan = Readonly<{
  changes: readonly FileChange[];
  targets: readonly PatchTarget[];
  diff: string;
  modified: readonly string[];
  created: readonly string[];
  deleted: readonly string[];
}>;

/** Tries all operations in their order on drafts of the files. The first that fails is the answer. */
export async function planPatch(
  operations: readonly PatchOperation[],
  open: OpenTarget,
): Promise<PatchPlan | PatchFailure> {
  const drafts = createDrafts(open);
  const steps: Step[] = [];
  for (const operation of operations) {
    const step = await planOperation(operation, drafts);
    if (isFailure(step)) return step;
    steps.push(step);
  }
  const names = (key: 'modified' | 'created' | 'deleted'): readonly string[] => [
    ...new Set(steps.flatMap((step) => step[key] ?? [])),
  ];
  return {
    changes: steps.map(({ change }) => change),
    targets: drafts.targets(),
    diff: steps.map(({ diff }) => diff).join('\n'),
    modified: names('modified'),
    created: names('created'),
    deleted: names('deleted'),
  };
}

/** One file changed by one edit, in the same form. */
export async function planEdit(
  spelled: string,
  edit: (text: string) => EditOutcome,
  open: OpenTarget,
): Promise<PatchPlan | PatchFailure> {
  const drafts = createDrafts(open);
  const step = await change(spelled, edit, drafts);
  if (isFailure(step)) return step;
  const { change: only, diff } = step;
  const lists = { modified: [spelled], created: [], deleted: [] };
  return { changes: [only], targets: drafts.targets(), diff, ...lists };
}
