import { loadRunConfig } from '@hermes/env-core';
import type { SandboxRef } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import { formatPlural } from '../display/format.ts';
import { formatTable } from '../display/table.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openProvider } from '../open-provider.ts';
import { loggerOf } from '../stderr-logger.ts';

interface SandboxFlags {
  readonly sandbox: string;
  readonly json?: boolean;
}

/** `hermes sandbox ls | reap`: what is there, and the removal of what nobody owns any more. */
export async function runSandbox(
  action: 'ls' | 'reap',
  flags: SandboxFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const { env } = await loadRunConfig({ overrides: dotted });
  const provider = await openProvider(flags.sandbox, env.sandboxSettings, {
    workingDirectory: context.workingDirectory,
    effects: { logger: loggerOf(context) },
  });
  try {
    if (action === 'ls') {
      const refs: SandboxRef[] = [];
      for await (const ref of provider.list()) refs.push(ref);
      context.stdout.write(
        flags.json === true ? `${JSON.stringify(refs, null, 2)}\n` : formatRefs(refs),
      );
      return exitCodes.ran;
    }
    const report = await provider.reap();
    const text = `removed ${report.removed.length}, kept ${report.kept.length}, failed ${report.failed.length}\n`;
    context.stdout.write(flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : text);
    for (const { ref, message } of report.failed)
      context.stderr.write(`could not remove ${ref.id}: ${message}\n`);
    return report.failed.length === 0 ? exitCodes.ran : exitCodes.runFailed;
  } finally {
    await provider.close();
  }
}

function formatRefs(refs: readonly SandboxRef[]): string {
  if (refs.length === 0) return 'no sandboxes of this user\n';
  const rows = refs.map(({ provider, id, labels }) => [
    provider,
    id,
    labels['hermes.run'] ?? '-',
    labels['hermes.owner.pid'] ?? '-',
    expiry(labels['hermes.expires']),
  ]);
  return `${formatTable(['provider', 'id', 'run', 'owner', 'expires'], rows)}\n${formatPlural(refs.length, 'sandbox')} of this user\n`;
}

function expiry(seconds: string | undefined): string {
  return seconds === undefined ? '-' : new Date(Number(seconds) * 1000).toISOString();
}
