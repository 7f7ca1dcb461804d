import type { SandboxProvider, SandboxRef } from '@hermes/sandbox';

export type Labels = Readonly<Record<string, string>>;

/** A sandbox that is there. isOrphan: it has expired or its owner is dead, so that a reaper may remove it. */
export type ListedSandbox = SandboxRef & Readonly<{ isOrphan: boolean }>;

/** Those with all these labels, as the provider's own reaper judges them. */
export async function listSandboxes(
  provider: SandboxProvider,
  labels: Labels = {},
): Promise<readonly ListedSandbox[]> {
  const { removed, kept } = await provider.reap({ dryRun: true });
  const listed = [
    ...kept.map((ref) => ({ ...ref, isOrphan: false })),
    ...removed.map((ref) => ({ ...ref, isOrphan: true })),
  ];
  return listed.filter((one) => hasLabels(one.labels, labels));
}

function hasLabels(own: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => own[name] === value);
}

/** A removal that failed, for people. */
export type Failure = Readonly<{ ref: SandboxRef; message: string }>;

/** Removes each; one that fails does not stop the others. */
export async function removeSandboxes(
  provider: SandboxProvider,
  refs: readonly SandboxRef[],
): Promise<{ readonly removed: readonly SandboxRef[]; readonly failed: readonly Failure[] }> {
  const removed: SandboxRef[] = [];
  const failed: Failure[] = [];
  for (const ref of refs)
    await provider.destroy(ref).then(
      () => removed.push(ref),
      (error: Error) => failed.push({ ref, message: error.message }),
    );
  return { removed, failed };
}
