import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import type { ExitCode } from '../exit-codes.ts';
import { addRolloutServer } from '../rollout-server/rollout-server-command.ts';
import { addProcess } from './process-command.ts';
import { addServe } from './serve-command.ts';
import { addTrainerApi } from './trainer-api-command.ts';

/** The commands that make training data and feed trainers: `process`, `serve`, `trainer-api` and `rollout-server`. */
export function addTraining(
  program: Command,
  context: CliContext,
  dotted: readonly DottedFlag[],
  finish: (code: ExitCode) => void,
): void {
  addProcess(program, async (environment, flags) => {
    const { runProcess } = await import('../commands/process.ts');
    finish(await runProcess(environment, flags, dotted, context));
  });
  addServe(program, async (environment, flags) => {
    const { runServe } = await import('../commands/serve.ts');
    finish(await runServe(environment, flags, dotted, context));
  });
  addTrainerApi(program, async (flags) => {
    const { runTrainerApi } = await import('../commands/trainer-api.ts');
    finish(await runTrainerApi(flags, context));
  });
  addRolloutServer(program, async (environment, flags) => {
    const { runRolloutServer } = await import('../commands/rollout-server.ts');
    finish(await runRolloutServer(environment, flags, dotted, context));
  });
}
