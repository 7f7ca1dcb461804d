import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import { fileErrorText } from './_file-errors.ts';
import { statFollowingLinks } from './_follow-links.ts';
import type { FileParts } from './_read-file-tool.ts';
import { completed, defineTool, failed } from './_tool.ts';
import { applyEdit } from './patch/apply-edit.ts';
import { checkSyntax } from './patch/check-syntax.ts';
import { type CommitResult, commitChanges } from './patch/commit-changes.ts';
import type { OpenTarget } from './patch/drafts.ts';
import { wellFormed } from './patch/file-text.ts';
import { parsePatch } from './patch/parse-patch.ts';
import { patchSchema } from './patch/patch-schema.ts';
import { isFailure, openTarget, type PatchFailure } from './patch/patch-target.ts';
import { type PatchPlan, planEdit, planPatch } from './patch/plan-patch.ts';

const ARGUMENTS = z.object({
  mode: z.enum(['replace', 'patch']).default('replace'),
  path: z.string().min(1).optional(),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().default(false),
  patch: z.string().optional(),
});
type Arguments = z.infer<typeof ARGUMENTS>;

/** The tool `patch`. What it cannot do whole it does not do at all. */
export function createPatchTool(parts: FileParts): Tool {
  return defineTool({
    schema: patchSchema,
    parallel: false,
    maxResultChars: 100_000,
    run: (args, context) => run(parts, args, context),
    errorDocument: (error) => ({ success: false, error }),
  });
}

async function run(
  parts: FileParts,
  args: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return refused({ code: 'INVALID_ARGUMENTS', error: parsed.message });
  const planner = plannerFor(parsed.value);
  if (isFailure(planner)) return refused(planner);
  const sandbox = await parts.resources.sandbox(context.signal);
  const plan = await planner((path) => openTarget(sandbox, parts.resources, path, context));
  if (isFailure(plan)) return refused(plan);
  const changed = await changedMeanwhile(sandbox, plan);
  if (changed !== null) return refused(changed);
  const committed = await commitChanges(sandbox.files, plan.changes);
  if (!committed.ok) return refused(notCommitted(committed));
  return await present(parts, sandbox, plan, context, parsed.value.mode);
}

type Planner = (open: OpenTarget) => Promise<PatchPlan | PatchFailure>;

function plannerFor(args: Arguments): Planner | PatchFailure {
  const { mode, path, old_string: old, new_string: replacement, patch } = args;
  if (mode === 'patch') {
    if (patch === undefined) return incomplete('mode=patch needs patch');
    const parsed = parsePatch(patch);
    if (!parsed.ok) return { code: 'INVALID_PATCH', error: parsed.message };
    return (open) => planPatch(parsed.operations, open);
  }
  if (path === undefined || old === undefined || replacement === undefined) {
    return incomplete('mode=replace needs path, old_string and new_string');
  }
  const edit = { old: wellFormed(old), new: wellFormed(replacement), replaceAll: args.replace_all };
  return (open) => planEdit(path, (text) => applyEdit(text, edit), open);
}

function incomplete(error: string): PatchFailure {
  return { code: 'INVALID_ARGUMENTS', error };
}

/** Something else may have written a file after it was read. */
async function changedMeanwhile(sandbox: Sandbox, plan: PatchPlan): Promise<PatchFailure | null> {
  for (const { path, spelled, stat } of plan.targets) {
    const now = await statFollowingLinks(sandbox.files, path);
    const isSame = now.ok
      ? now.value.mtimeMs === stat?.mtimeMs && now.value.size === stat.size
      : stat === null;
    if (isSame) continue;
    const error = `${spelled} was changed by something else at the same time; nothing was written. Try again.`;
    return { code: 'FILE_CHANGED', error };
  }
  return null;
}

function notCommitted({
  code,
  spelled,
  stuck,
}: Extract<CommitResult, { ok: false }>): PatchFailure {
  const isUnnamed = code === 'FILE_NOT_FOUND'; // it was found, or was to be made
  const error = isUnnamed ? `Cannot write to ${spelled}` : fileErrorText(code, spelled);
  if (stuck.length === 0) return { code, error: `${error}. No file was changed` };
  return {
    code,
    error: `${error}. These files could not be put back as they were: ${stuck.join(', ')}`,
  };
}

async function present(
  { history }: FileParts,
  sandbox: Sandbox,
  plan: PatchPlan,
  { signal }: ToolCallContext,
  mode: Arguments['mode'],
): Promise<ToolResult> {
  const stale = plan.targets.filter(({ stat }) => stat !== null && history.changedSinceSeen(stat));
  const lint: Record<string, JsonObject> = {};
  for (const { path, spelled } of plan.targets) {
    const after = await statFollowingLinks(sandbox.files, path);
    if (!after.ok) continue;
    history.noteWrite(after.value);
    lint[spelled] = await checkSyntax(sandbox, path, signal);
  }
  const [only] = Object.values(lint);
  return completed({
    success: true,
    diff: plan.diff,
    ...filesOf(plan),
    ...(only === undefined ? {} : { lint: mode === 'replace' ? only : lint }),
    ...(stale.length === 0 ? {} : { _warning: staleWarning(stale.map(({ spelled }) => spelled)) }),
  });
}

function filesOf({ modified, created, deleted }: PatchPlan): JsonObject {
  return {
    ...(modified.length === 0 ? {} : { files_modified: modified }),
    ...(created.length === 0 ? {} : { files_created: created }),
    ...(deleted.length === 0 ? {} : { files_deleted: deleted }),
  };
}

function staleWarning(paths: readonly string[]): string {
  return `${paths.join(', ')} had been changed by something else since you last saw it; only the place that you named was changed. Read it again if you did not expect this.`;
}

function refused({ code, error, hint }: PatchFailure): ToolResult {
  const document = { success: false, error };
  return failed(code, hint === undefined ? document : { ...document, _hint: hint });
}
