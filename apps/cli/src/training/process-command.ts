import type { Command } from 'commander';
import { addRunCommand } from '../config/add-run-command.ts';
import { runFlagGroups } from '../config/run-flags.ts';
import { type ProcessFlags, processFlagGroups } from './process-flags.ts';

/** The command `process` with its flags. */
export function addProcess(
  program: Command,
  run: (environment: string, flags: ProcessFlags) => Promise<void>,
): void {
  addRunCommand(program, {
    name: 'process',
    description: 'play an environment and write its trajectories as training data',
    groups: [...processFlagGroups, ...runFlagGroups],
    help: more,
  }).action(run);
}

const more = `
Examples:
  hermes process gsm8k --model openai:NAME --out maths.jsonl --limit 100
  hermes process gsm8k --model openai:NAME --out maths.jsonl --limit 100 --resume   after an interruption
  hermes process terminal-test --model openai:NAME --out good.jsonl --only passed --dedupe
  hermes process gsm8k --model openai:NAME --out groups.jsonl --lines groups         4 attempts a line
  hermes process gsm8k --base-url URL --server-type vllm --out t.jsonl --format tokens   ids, masks and log-probs

A file that is there is never written over: the new one is called out_1.jsonl.
--env.data_path_to_save_groups FILE is --out FILE, --env.total_steps N is --limit N.`;
