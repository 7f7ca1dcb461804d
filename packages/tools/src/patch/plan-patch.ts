import { applyHunks } from './apply-hunks.ts';
import type { FileChange } from './commit-changes.ts';
import { editFailure } from './edit-failure.ts';
import type { EditOutcome } from './edit-types.ts';
import { decodeBytes, encodeText, wellFormed } from './file-text.ts';
import type { PatchOperation } from './parse-patch.ts';
import { isFailure, type PatchFailure, type PatchTarget } from './patch-target.ts';
import { unifiedDiff } from './unified-diff.ts';

/** A file as it is after the operations so far. */
type Draft = Readonly<{ bytes: Uint8Array | null; mode: number | null }>;

/** What a patch comes to, with nothing of it done yet. Paths as the model spells them. */
export type PatchPlan = Readonly<{
  changes: readonly FileChange[];
  targets: readonly PatchTarget[];
  diff: string;
  modified: readonly string[];
  created: readonly string[];
  deleted: readonly string[];
}>;

/** Looks at a file of the sandbox. */
export type OpenTarget = (spelled: string) => Promise<PatchTarget | PatchFailure>;

type Step = Readonly<{
  change: FileChange;
  diff: string;
  modified?: string;
  created?: string;
  deleted?: string;
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

function planOperation(operation: PatchOperation, drafts: Drafts): Promise<Step | PatchFailure> {
  switch (operation.kind) {
    case 'update':
      return change(operation.path, (text) => applyHunks(text, wellFormedHunks(operation)), drafts);
    case 'add':
      return add(operation.path, operation.content, drafts);
    case 'delete':
      return remove(operation.path, drafts);
    case 'move':
      return move(operation.path, operation.to, drafts);
  }
}

function wellFormedHunks({ hunks }: Extract<PatchOperation, { kind: 'update' }>): typeof hunks {
  return hunks.map(({ hint, before, after }) => ({
    hint: hint === null ? null : wellFormed(hint),
    before: before.map(wellFormed),
    after: after.map(wellFormed),
  }));
}

async function change(
  spelled: string,
  edit: (text: string) => EditOutcome,
  drafts: Drafts,
): Promise<Step | PatchFailure> {
  const opened = await drafts.open(spelled);
  if (isFailure(opened)) return opened;
  const { path, draft } = opened;
  if (draft.bytes === null) return missing(spelled);
  const before = decodeBytes(draft.bytes);
  const outcome = edit(before);
  if (!outcome.ok) return editFailure(outcome, spelled, before);
  const bytes = encodeText(outcome.text);
  drafts.set(path, { ...draft, bytes });
  const write = {
    kind: 'write',
    path,
    spelled,
    bytes,
    before: draft.bytes,
    mode: draft.mode,
  } as const;
  return { change: write, diff: unifiedDiff(spelled, before, outcome.text), modified: spelled };
}

async function add(spelled: string, content: string, drafts: Drafts): Promise<Step | PatchFailure> {
  const opened = await drafts.open(spelled);
  if (isFailure(opened)) return opened;
  if (opened.draft.bytes !== null) return exists(spelled);
  const text = wellFormed(content);
  const bytes = encodeText(text);
  const { path } = opened;
  drafts.set(path, { bytes, mode: null });
  const write = { kind: 'write', path, spelled, bytes, before: null, mode: null } as const;
  return { change: write, diff: unifiedDiff(spelled, null, text), created: spelled };
}

async function remove(spelled: string, drafts: Drafts): Promise<Step | PatchFailure> {
  const opened = await drafts.open(spelled);
  if (isFailure(opened)) return opened;
  const { path, draft } = opened;
  if (draft.bytes === null) return missing(spelled);
  if (opened.isLink) return link(spelled);
  drafts.set(path, { bytes: null, mode: null });
  const removal = {
    kind: 'remove',
    path,
    spelled,
    before: draft.bytes,
    mode: draft.mode ?? 0o644,
  } as const;
  return {
    change: removal,
    diff: unifiedDiff(spelled, decodeBytes(draft.bytes), null),
    deleted: spelled,
  };
}

async function move(spelled: string, to: string, drafts: Drafts): Promise<Step | PatchFailure> {
  const from = await drafts.open(spelled);
  if (isFailure(from)) return from;
  const target = await drafts.open(to);
  if (isFailure(target)) return target;
  if (from.draft.bytes === null) return missing(spelled);
  if (from.isLink) return link(spelled);
  if (target.draft.bytes !== null) return exists(to);
  drafts.set(from.path, { bytes: null, mode: null });
  drafts.set(target.path, from.draft);
  const rename = { kind: 'rename', path: from.path, spelled, to: target.path } as const;
  return {
    change: rename,
    diff: `rename from ${spelled}\nrename to ${to}`,
    deleted: spelled,
    created: to,
  };
}

type Drafts = Readonly<{
  open: (
    spelled: string,
  ) => Promise<Readonly<{ path: string; isLink: boolean; draft: Draft }> | PatchFailure>;
  set: (path: string, draft: Draft) => void;
  /** The files as they were found. */
  targets: () => readonly PatchTarget[];
}>;

function createDrafts(open: OpenTarget): Drafts {
  const drafts = new Map<string, Draft>();
  const targets = new Map<string, PatchTarget>();
  return {
    async open(spelled) {
      const target = await open(spelled);
      if (isFailure(target)) return target;
      const { path, stat, bytes } = target;
      const draft = drafts.get(path) ?? { bytes, mode: stat === null ? null : stat.mode & 0o7777 };
      if (!targets.has(path)) targets.set(path, target);
      drafts.set(path, draft);
      return { path, isLink: target.isLink, draft };
    },
    set: (path, draft) => drafts.set(path, draft),
    targets: () => [...targets.values()],
  };
}

function missing(spelled: string): PatchFailure {
  return { code: 'FILE_NOT_FOUND', error: `File not found: ${spelled}` };
}

/** What it leads to would go, and the link stay. */
function link(spelled: string): PatchFailure {
  const error = `${spelled} is a link: remove or rename it in the terminal`;
  return { code: 'IS_A_LINK', error };
}

function exists(spelled: string): PatchFailure {
  return {
    code: 'ALREADY_EXISTS',
    error: `${spelled} exists already. Use *** Update File: to change it.`,
  };
}
