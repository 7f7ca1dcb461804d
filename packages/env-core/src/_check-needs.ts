import type { Capabilities, Sandbox } from '@hermes/sandbox';
import { erroredAs, RolloutFailure } from './_classify.ts';
import type { SandboxNeeds } from './environment.ts';

/** From the weakest to the strongest. */
const RANKS: Partial<Record<keyof Capabilities, readonly unknown[]>> = {
  isolation: ['none', 'process', 'container', 'vm'],
  killTree: ['none', 'pgid', 'subreaper', 'pidns', 'cgroup'],
};

/** Throws a RolloutFailure that names all that is needed and not offered. */
export function checkCapabilities(
  needs: SandboxNeeds,
  offered: Capabilities,
  provider: string,
): void {
  const needed = Object.entries(needs.capabilities ?? {});
  const missing = needed.filter(([name, value]) => !isOffered(name, value, offered));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  if (names.includes('absolutePaths')) throw pathUnavailable(provider);
  throw new RolloutFailure(
    erroredAs(
      'sandbox',
      'sandbox_unsupported',
      `The sandbox provider ${provider} does not offer what this item needs: ${names.join(', ')}`,
    ),
  );
}

function isOffered(name: string, needed: unknown, offered: Capabilities): boolean {
  const has = offered[name as keyof Capabilities];
  const rank = RANKS[name as keyof Capabilities];
  if (rank) return rank.indexOf(has) >= rank.indexOf(needed);
  if (name === 'timeoutGranularityMs') return Number(has) <= Number(needed);
  if (name === 'maxUploadBytes') return has === null || Number(has) >= Number(needed);
  if (typeof needed === 'number') return Number(has) >= needed;
  if (typeof needed === 'object' && needed !== null) return hasAll(needed, has);
  return needed === true ? has === true : true;
}

/** For the groups of flags: resourceLimits, usage. */
function hasAll(needed: object, has: unknown): boolean {
  const flags = new Map<string, unknown>(Object.entries(has ?? {}));
  return Object.entries(needed).every(([flag, wanted]) => !wanted || flags.get(flag) === true);
}

function pathUnavailable(provider: string): RolloutFailure {
  return new RolloutFailure(
    erroredAs(
      'environment',
      'path_unavailable',
      `This item names absolute places such as /app or /tests, which the sandbox provider ${provider} does not have for itself. ` +
        'Use a sandbox with a root folder of its own: bubblewrap (--sandbox bubblewrap), or containers',
    ),
  );
}

const CHECK_TIMEOUT_MS = 60_000;
const CHECK = 'for name; do command -v -- "$name" >/dev/null 2>&1 || printf "%s\\n" "$name"; done';

/** Throws a RolloutFailure that names the programs that are not there. A sandbox without a shell cannot be asked. */
export async function checkCommands(
  sandbox: Sandbox,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (commands.length === 0 || !sandbox.capabilities.shell) return;
  const result = await sandbox.exec({
    command: { argv: ['sh', '-c', CHECK, 'sh', ...commands] },
    timeoutMs: CHECK_TIMEOUT_MS,
    signal,
  });
  const missing = result.stdout.text().split('\n').filter(Boolean);
  if (result.status === 'exited' && missing.length === 0) return;
  throw new RolloutFailure(commandsErrored(result.status, missing));
}

function commandsErrored(status: string, missing: readonly string[]) {
  if (missing.length === 0) {
    const message = `Looking for the needed commands in the sandbox ended with ${status}`;
    return erroredAs('environment', 'setup_failed', message);
  }
  return erroredAs(
    'environment',
    'command_missing',
    `The sandbox lacks what this item needs: ${missing.join(', ')}. Use an image or a machine that has it`,
    { details: { missing } },
  );
}
