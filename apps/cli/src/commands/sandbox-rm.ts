import { HermesError } from '@hermes/protocol';
import type { SandboxRef } from '@hermes/sandbox';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type SourceFlags, withEachProvider } from '../sandboxes/each-provider.ts';
import {
  type Failure,
  type Labels,
  type ListedSandbox,
  listSandboxes,
  removeSandboxes,
} from '../sandboxes/list-sandboxes.ts';
import { reportFailures } from './sandbox-reap.ts';

/** The flags of `hermes sandbox rm`. */
export interface RemoveFlags extends SourceFlags {
  readonly label?: Labels;
  readonly force?: boolean;
}

/** `hermes sandbox rm`: removes what was named. What a living run owns is refused without `--force`. */
export async function runSandboxRm(
  names: readonly string[],
  flags: RemoveFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  if (names.length === 0 && flags.label === undefined)
    throw wrong('name a sandbox (see hermes sandbox ls), or give --label key=value');
  const removed: SandboxRef[] = [];
  const failed: Failure[] = [];
  const inUse: ListedSandbox[] = [];
  const missing = new Set(names);
  await withEachProvider(flags, dotted, context, async (provider) => {
    const listed = await listSandboxes(provider, flags.label);
    const wanted = names.length === 0 ? listed : pick(listed, names, missing);
    const free = wanted.filter(({ isOrphan }) => isOrphan || flags.force === true);
    inUse.push(...wanted.filter((one) => !free.includes(one)));
    const done = await removeSandboxes(provider, free);
    removed.push(...done.removed);
    failed.push(...done.failed);
  });
  const text = removed.map(({ id, name }) => `${name ?? id}\n`).join('');
  const report = { removed, failed, inUse, missing: [...missing] };
  context.stdout.write(flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : text);
  for (const { id, name, labels } of inUse)
    context.stderr.write(
      `kept ${name ?? id}: its run is alive (process ${labels['hermes.owner.pid'] ?? '?'}); --force removes it all the same\n`,
    );
  for (const name of missing) context.stderr.write(`no sandbox ${name}\n`);
  const code = reportFailures(failed, context);
  return inUse.length + missing.size === 0 ? code : exitCodes.runFailed;
}

/** By id or name, whole or their start. Takes what it finds out of `missing`. */
function pick(
  listed: readonly ListedSandbox[],
  names: readonly string[],
  missing: Set<string>,
): readonly ListedSandbox[] {
  return names.flatMap((name) => {
    const exact = listed.filter((one) => one.id === name || one.name === name);
    const begun = listed.filter((one) => one.id.startsWith(name) || one.name?.startsWith(name));
    const found = exact.length > 0 ? exact : begun;
    if (found.length > 1)
      throw wrong(`${name} is the start of ${found.length} sandboxes; write more of it`);
    if (found.length > 0) missing.delete(name);
    return found;
  });
}

function wrong(message: string): HermesError {
  return new HermesError('config', 'CONFIG', message);
}
