import type { Command } from 'commander';
import { filled, oneOf, wholeNumber } from '../flag-values.ts';
import type { TrainerApiFlags } from './trainer-api-flags.ts';

/** The command `trainer-api` with its flags. */
export function addTrainerApi(
  program: Command,
  run: (flags: TrainerApiFlags) => Promise<void>,
): void {
  program
    .command('trainer-api')
    .description('the trajectory API between environments and a trainer, in the place of run-api')
    .option('--host <address>', 'where it listens (default: 127.0.0.1)', filled)
    .option('--port <n>', '0 is any free one (default: 8000)', wholeNumber)
    .option('--log-dir <folder>', 'keeps every group until its trainer has it', filled)
    .option('--token-file <file>', 'the token that callers must bear', filled)
    .option(
      '--mode <mode>',
      'compat answers as run-api, strict mends its faults (default: compat)',
      oneOf('compat', 'strict'),
    )
    .option('--json', 'where it listens as JSON')
    .addHelpText('after', more)
    .action(run);
}

const more = `
Ends with SIGTERM or ctrl-C. GET /metrics counts for Prometheus.

Examples:
  hermes trainer-api --log-dir ./trajectories
  hermes trainer-api --host 0.0.0.0 --token-file token`;
