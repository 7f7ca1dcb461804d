import { join, resolve } from 'node:path';
import type { RunOptions } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import type { EvaluateFlags } from './evaluate-flags.ts';

/** Throws a HermesError `config` where a resume does not say of which run. */
export function checkResume({ resume, runDir }: EvaluateFlags): void {
  if (resume !== true || runDir !== undefined) return;
  const message = '--resume goes on with a run: name its folder with --run-dir';
  throw new HermesError('config', 'CONFIG', message);
}

/** The folder of a run: the one that was named, else a new one below `./runs` that says when, what and with which model. */
export function runDirectoryPath(
  flags: EvaluateFlags,
  options: Pick<RunOptions<unknown>, 'definition' | 'model'>,
  context: CliContext,
  effects: Effects,
): string {
  if (flags.runDir !== undefined) return resolve(context.workingDirectory, flags.runDir);
  const moment = new Date(effects.clock.now().wallMs)
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\..*$/, '');
  const suffix = effects.newId('').slice(-4);
  const name = [moment, options.definition.id, options.model.modelId, suffix]
    .join('-')
    .replaceAll(/[^\w.-]+/g, '_');
  return join(context.workingDirectory, 'runs', name);
}
