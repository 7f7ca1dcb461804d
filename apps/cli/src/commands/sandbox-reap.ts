import type { SandboxRef } from '@hermes/sandbox';
import { sweepTransferFolders } from '@hermes/sandbox/host';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type SourceFlags, withEachProvider } from '../sandboxes/each-provider.ts';
import {
  type Failure,
  type Labels,
  listSandboxes,
  removeSandboxes,
} from '../sandboxes/list-sandboxes.ts';

/** The flags of `hermes sandbox reap`. */
export interface ReapFlags extends SourceFlags {
  readonly label?: Labels;
  readonly dryRun?: boolean;
}

/** `hermes sandbox reap`: removes what nobody owns any more. What a living run owns stays, whatever the labels. */
export async function runSandboxReap(
  flags: ReapFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const removed: SandboxRef[] = [];
  const kept: SandboxRef[] = [];
  const failed: Failure[] = [];
  await withEachProvider(flags, dotted, context, async (provider) => {
    const listed = await listSandboxes(provider, flags.label);
    const orphans = listed.filter(({ isOrphan }) => isOrphan);
    kept.push(...listed.filter(({ isOrphan }) => !isOrphan));
    const done =
      flags.dryRun === true
        ? { removed: orphans, failed: [] }
        : await removeSandboxes(provider, orphans);
    removed.push(...done.removed);
    failed.push(...done.failed);
  });
  if (flags.dryRun !== true) await sweepTransferFolders();
  const word = flags.dryRun === true ? 'would remove' : 'removed';
  const text = `${word} ${removed.length}, kept ${kept.length}, failed ${failed.length}\n`;
  const report = { removed, kept, failed };
  context.stdout.write(flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : text);
  return reportFailures(failed, context);
}

/** Says which removals failed. */
export function reportFailures(failed: readonly Failure[], context: CliContext): ExitCode {
  for (const { ref, message } of failed)
    context.stderr.write(`could not remove ${ref.name ?? ref.id}: ${message}\n`);
  return failed.length === 0 ? exitCodes.ran : exitCodes.runFailed;
}
