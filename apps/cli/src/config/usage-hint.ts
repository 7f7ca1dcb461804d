import { configKeys } from '@hermes/env-core';
import type { CommanderError } from 'commander';
import { longName } from './flag-spec.ts';
import { runFlagGroups } from './run-flags.ts';

/** What was probably meant by a command line that the parser refused; null: nothing is known of it. */
export function usageHint(error: CommanderError, argv: readonly string[]): string | null {
  if (error.code === 'commander.unknownOption') return keyHint(error.message);
  if (error.code === 'commander.unknownCommand') return orderHint(argv);
  const hasDotted = argv.some((argument) => /^--\w+\./.test(argument));
  if (error.code !== 'commander.excessArguments' || !hasDotted) return null;
  return 'Names of a list are written with commas between them: --env.KEY a,b';
}

/** As the original's scripts had it: the environment before the command. */
function orderHint([environment, command = '']: readonly string[]): string | null {
  if (!/^(evaluate|process|serve)$/.test(command)) return null;
  return `The command stands before the environment: hermes ${command} ${environment}`;
}

/** A key that was written without its section. */
function keyHint(message: string): string | null {
  const name = /'--([\w-]+)/.exec(message)?.[1]?.replaceAll('-', '_');
  const key = configKeys().find((one) => one.key === name);
  if (key === undefined) return null;
  const path = `${key.section}.${key.key}`;
  const flag = runFlagGroups.flatMap(({ flags }) => flags).find((one) => one.key === path);
  const short = flag === undefined ? '' : ` or ${longName(flag)} VALUE`;
  return `It is a key of the configuration: write --${path} VALUE${short}`;
}
