import type { SandboxProvider } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { loggerOf } from '../stderr-logger.ts';
import { builtinProviders } from './builtin-providers.ts';
import { openProvider } from './open-provider.ts';
import { refuseProblems } from './open-sandboxes.ts';
import { type ConfigFlag, readSandboxConfig, type SandboxConfig } from './read-sandbox-config.ts';

/** Flags of the commands that work on sandboxes which are there. */
export interface SourceFlags extends ConfigFlag {
  readonly sandbox?: string;
  readonly json?: boolean;
}

/** Does the work with the provider that was named, or else with each of the command's own that works here, one after another. */
export async function withEachProvider(
  flags: SourceFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
  work: (provider: SandboxProvider) => Promise<void>,
): Promise<void> {
  const config = await readSandboxConfig(flags, dotted, context);
  const name = flags.sandbox ?? config.named;
  if (name !== null) return withProvider(name, config, context, work);
  const left: string[] = [];
  for (const builtin of builtinProviders.filter((one) => one.sharesSandboxes !== true)) {
    context.signal.throwIfAborted();
    const reason = await withReadyProvider(builtin.name, config, context, work);
    if (reason !== null) left.push(`${builtin.name} (${reason})`);
  }
  if (left.length > 0) context.stderr.write(`note: not looked at: ${left.join('; ')}\n`);
}

/** Opens one provider and proves it around the work. Throws CONFIG where it does not work here. */
export async function withProvider(
  name: string,
  config: SandboxConfig,
  context: CliContext,
  work: (provider: SandboxProvider) => Promise<void>,
): Promise<void> {
  const provider = await open(name, config, context);
  try {
    refuseProblems(name, await provider.preflight(context.signal));
    context.signal.throwIfAborted();
    await work(provider);
  } finally {
    await provider.close();
  }
}

/** null: the work was done; else why this provider is of no use here. */
async function withReadyProvider(
  name: string,
  config: SandboxConfig,
  context: CliContext,
  work: (provider: SandboxProvider) => Promise<void>,
): Promise<string | null> {
  const opened = await open(name, config, context).catch((error: Error) => error.message);
  if (typeof opened === 'string') return opened;
  try {
    const { ok, problems } = await opened.preflight(context.signal);
    if (!ok) return problems.map(({ message }) => message).join(', ');
    await work(opened);
    return null;
  } finally {
    await opened.close();
  }
}

function open(name: string, config: SandboxConfig, context: CliContext): Promise<SandboxProvider> {
  return openProvider(name, config.settings, {
    workingDirectory: context.workingDirectory,
    given: config.given,
    effects: { logger: loggerOf(context) },
  });
}
