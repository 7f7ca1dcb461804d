import type { LabelFilter, ReapPolicy, ReapReport, SandboxRef } from '../types.ts';
import { messageOf } from './errors.ts';
import { creationOf, expiryOf, LABEL, ownerOf } from './labels.ts';
import { mayBeAlive, type Owner } from './owner.ts';

export type ReapParts = Readonly<{
  list: (filter: LabelFilter) => AsyncIterable<SandboxRef>;
  destroy: (ref: SandboxRef) => Promise<void>;
  nowMs: () => number;
  /** False only for an owner that surely is gone. Default: looks at this machine's processes. */
  mayBeAlive?: (owner: Owner) => boolean;
}>;

/** Removes what has expired or lost its owner; what a living run owns stays. A failed removal does not stop the others. */
export async function reapSandboxes(
  parts: ReapParts,
  policy: ReapPolicy = {},
): Promise<ReapReport> {
  const removed: SandboxRef[] = [];
  const kept: SandboxRef[] = [];
  const failed: { ref: SandboxRef; message: string }[] = [];
  for await (const ref of parts.list({ labels: wantedLabels(policy) })) {
    if (!isOrphan(ref, parts, policy)) kept.push(ref);
    else if (policy.dryRun === true) removed.push(ref);
    else {
      const message = await tryDestroy(parts, ref);
      if (message === null) removed.push(ref);
      else failed.push({ ref, message });
    }
  }
  return { removed, kept, failed };
}

function wantedLabels({ runId }: ReapPolicy): Record<string, string> {
  return { [LABEL.sandbox]: '1', ...(runId === undefined ? {} : { [LABEL.run]: runId }) };
}

function isOrphan({ labels }: SandboxRef, parts: ReapParts, policy: ReapPolicy): boolean {
  const now = parts.nowMs();
  const age = now - (creationOf(labels) ?? 0);
  if (age < (policy.olderThanMs ?? 0)) return false;
  if ((expiryOf(labels) ?? Number.POSITIVE_INFINITY) <= now) return true;
  const owner = ownerOf(labels);
  return owner !== null && !(parts.mayBeAlive ?? mayBeAlive)(owner);
}

async function tryDestroy(parts: ReapParts, ref: SandboxRef): Promise<string | null> {
  try {
    await parts.destroy(ref);
    return null;
  } catch (cause) {
    return messageOf(cause);
  }
}
