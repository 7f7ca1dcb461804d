import type { Command } from 'commander';
import { addFlags, type FlagGroup } from './flag-spec.ts';

/** A command that plays an environment, as `--help` shows it. */
export type RunCommandText = Readonly<{
  name: string;
  description: string;
  /** Its flags by theme, in the order of `--help`. */
  groups: readonly FlagGroup[];
  /** Stands after the flags. */
  help: string;
}>;

/** Adds a command that plays an environment; what it does is still to be said. */
export function addRunCommand(
  program: Command,
  { name, description, groups, help }: RunCommandText,
): Command {
  const command = program
    .command(name)
    .description(description)
    .argument(
      '<environment>',
      'an id (see hermes environments), a package, or a path: ./file.js, ./file.js#export',
    )
    .addHelpText('after', help + aboutKeys);
  addFlags(command, groups);
  return command;
}

const aboutKeys = `
Any key of a configuration section is a flag too: --env.terminal_timeout 60, --openai.timeout 300 (hermes config explain lists them)
Settings of the sandbox provider itself: --env.sandbox.KEY VALUE, --env.docker_image NAME, --env.ssh_host HOST, ...
Flags win over --config, and both over variables: OPENAI_BASE_URL, OPENAI_API_KEY, TERMINAL_ENV, TERMINAL_DOCKER_IMAGE, ...
A key belongs into a variable: OPENAI_API_KEY, or the one that --api-key-env names.`;
