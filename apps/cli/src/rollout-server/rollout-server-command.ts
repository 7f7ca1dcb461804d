import type { Command } from 'commander';
import { addRunCommand } from '../config/add-run-command.ts';
import { runFlagGroups } from '../config/run-flags.ts';
import { type RolloutServerFlags, rolloutServerFlagGroups } from './rollout-server-flags.ts';

/** The command `rollout-server` with its flags. */
export function addRolloutServer(
  program: Command,
  run: (environment: string, flags: RolloutServerFlags) => Promise<void>,
): void {
  addRunCommand(program, {
    name: 'rollout-server',
    description: 'rollouts for trainers in any language: POST /rollouts, and OpenEnv',
    groups: [...rolloutServerFlagGroups, ...runFlagGroups],
    help: more,
  }).action(run);
}

const more = `
Examples:
  hermes rollout-server gsm8k --model MODEL             tokens, masks and log-probs with llama:FILE.gguf or --server-type
  hermes rollout-server gsm8k --model noop              the model comes with each request, or the trainer is it (OpenEnv)
  curl 127.0.0.1:9000/rollouts -d '{"index": 0, "n": 4}'

A request may bring a model of its own: {"model": {"base_url": "http://...", "model": NAME, "api_key": KEY}}.
Ends with SIGTERM or ctrl-C; what runs is cancelled, and its callers are told.`;
