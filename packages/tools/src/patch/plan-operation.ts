import { applyHunks } from './apply-hunks.ts';
import type { FileChange } from './commit-changes.ts';
import type { Drafts } from './drafts.ts';
import { editFailure } from './edit-failure.ts';
import type { EditOutcome } from './edit-types.ts';
import { decodeBytes, encodeText, wellFormed } from './file-text.ts';
import type { PatchOperation } from './parse-patch.ts';
import { isFailure, type PatchFailure } from './patch-target.ts';
import { unifiedDiff } from './unified-diff.ts';

/** One operation, worked out. Paths as the model spells them. */
export type Step = Readonly<{
  change: FileChange;
  diff: string;
  modified?: string;
  created?: string;
  deleted?: string;
}>;

/** Makes an operation on the drafts. */
export function planOperation(
  operation: PatchOperation,
  drafts: Drafts,
): Promise<Step | PatchFailure> {
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

/** Changes the text of one file. */
export async function change(
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
