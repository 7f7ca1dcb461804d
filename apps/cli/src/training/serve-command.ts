import type { Command } from 'commander';
import { addRunCommand } from '../config/add-run-command.ts';
import { runFlagGroups } from '../config/run-flags.ts';
import { type ServeFlags, serveFlagGroups } from './serve-flags.ts';

/** The command `serve` with its flags. */
export function addServe(
  program: Command,
  run: (environment: string, flags: ServeFlags) => Promise<void>,
): void {
  addRunCommand(program, {
    name: 'serve',
    description: 'feed a trainer with groups of rollouts, over the trajectory API of Atropos',
    groups: [...serveFlagGroups, ...runFlagGroups],
    help: more,
  }).action(run);
}

const more = `
Examples:
  hermes serve gsm8k --model MODEL                      run-api or hermes trainer-api listens on port 8000
  hermes serve gsm8k --model MODEL --with-trainer-api   the trajectory API runs in this process
  hermes serve gsm8k --model MODEL --run-dir runs/maths --resume

MODEL must give token ids and log-probs, since nothing else can be trained on: llama:FILE.gguf, or openai:NAME with
--base-url URL and --server-type vllm, sglang, trl, llama_cpp, runpod, ... (without it, the server is asked what it is).
It ends when the trainer has made its steps; SIGTERM and ctrl-C end it cleanly, and --resume goes on.
Keys of older configurations hold: --env.max_num_workers, --env.max_batches_offpolicy, --env.total_steps, ...`;
