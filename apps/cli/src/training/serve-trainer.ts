import {
  createTrajectoryClient,
  type TrajectoryClient,
  type TrajectoryServer,
} from '@hermes/atropos';
import {
  groupPlanOf,
  openRunDirectory,
  type RunDirectory,
  type ServeSummary,
  serve,
} from '@hermes/env-core';
import type { CliContext } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { OpenedRun } from '../open-run.ts';
import { readToken } from '../read-token.ts';
import { runDirectoryPath } from '../run-directory-path.ts';
import type { TrackingNames } from '../tracking/open-run-tracker.ts';
import { tracked } from '../tracking/tracked.ts';
import { createGroupDisplay } from './group-display.ts';
import { openGroupFile } from './open-group-file.ts';
import { openTrainerApi, untilTaken } from './open-trainer-api.ts';
import type { ServeFlags } from './serve-flags.ts';
import { serveOptions } from './serve-options.ts';
import { printServeSummary } from './serve-summary.ts';
import { unlessRefused } from './unless-refused.ts';

const NAMES_MS = 5_000;

/** The work of `hermes serve`: feeds a trainer until it has made its steps or the command is ended, and takes its leave. */
export async function serveTrainer(
  run: OpenedRun,
  flags: ServeFlags,
  context: CliContext,
): Promise<ExitCode> {
  const token = await readToken('--trainer-token-file', flags.trainerTokenFile, context);
  context.signal.throwIfAborted(); // nothing has started: nothing is left behind
  const options = serveOptions(run, flags, context);
  const directory = await openRunDirectory(runDirectoryPath(flags, options, context, run.effects), {
    resume: flags.resume === true,
    plan: groupPlanOf(options, { job: 'serve', size: options.group.size }),
    run: { config: run.config.dump, sandbox: options.sandboxes?.id ?? null },
  });
  try {
    await using api = await openTrainerApi(run, flags, { token, directory }, context);
    const baseUrl = api?.baseUrl ?? run.config.training.trainerUrl;
    const client = createTrajectoryClient({
      baseUrl,
      ...(token && { token }),
      effects: run.effects,
    });
    try {
      const summary = await feed({ ...options, trainer: client, directory }, run, flags, context);
      if (api !== null) await lastBatches(api, run, context);
      printServeSummary(summary, directory.path, flags, context.stdout);
      return context.signal.aborted ? exitCodes.interrupted : exitCodes.ran;
    } finally {
      client.close();
    }
  } finally {
    await directory.close();
  }
}

type ServingOptions = ReturnType<typeof serveOptions> &
  Readonly<{ trainer: TrajectoryClient; directory: RunDirectory }>;

async function feed(
  options: ServingOptions,
  run: OpenedRun,
  flags: ServeFlags,
  context: CliContext,
): Promise<ServeSummary> {
  const file = await openGroupFile(run, flags, context);
  const display = createGroupDisplay(flags, context, run.effects.clock);
  const { directory, trainer } = options;
  const request = {
    command: 'serve',
    run,
    directory,
    trainer: () => trackingNames(trainer),
  } as const;
  const write = file === null ? {} : { write: file.write };
  try {
    return await unlessRefused(run.chosen, directory, context.signal, (signal) =>
      tracked(request, context, (metrics) =>
        serve({ ...options, ...write, sinks: [display], metrics, signal }),
      ),
    );
  } finally {
    await display.close?.();
    await file?.close();
  }
}

/** How the trainer calls its run; it does not matter where it does not say. */
async function trackingNames(trainer: TrajectoryClient): Promise<TrackingNames> {
  const nothing = { group: null, project: null };
  return trainer.trackingInfo(AbortSignal.timeout(NAMES_MS)).catch(() => nothing);
}

/** The trainer still has to fetch what this server holds for it. */
async function lastBatches(
  api: TrajectoryServer,
  { config, effects }: OpenedRun,
  { signal, stderr }: CliContext,
): Promise<void> {
  const wanted = config.training.totalSteps ?? api.progress().totalSteps;
  if (wanted === null || signal.aborted || api.progress().step >= wanted) return;
  stderr.write(
    'note: the trainer has all that it needs; its server stays until it has fetched it\n',
  );
  await untilTaken(api, wanted, effects.clock, signal);
}
