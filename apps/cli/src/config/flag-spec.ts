import type { JsonValue } from '@hermes/protocol';
import { type Command, Option } from 'commander';

/** One flag of a command as data. */
export type FlagSpec = Readonly<{
  /** Its spellings and its value, as `--help` shows them: `-m, --model <model>`. */
  flags: string;
  description: string;
  /** Reads the text; earlier: what it gave for the same flag before. Throws an InvalidArgumentError. */
  parse?: (value: string, earlier: never) => unknown;
  /** The key of the configuration that it is another name for: `env.max_agent_turns`. */
  key?: string;
  /** Makes the value of that key of what `parse` gave; from: the folder of the command. */
  toValue?: (given: never, from: string) => JsonValue;
}>;

/** Flags under one heading of `--help`. */
export type FlagGroup = Readonly<{ heading: string; flags: readonly FlagSpec[] }>;

/** Adds the flags to a command, each under the heading of its group. */
export function addFlags(command: Command, groups: readonly FlagGroup[]): void {
  for (const { heading, flags } of groups) {
    command.optionsGroup(heading);
    for (const { flags: names, description, parse } of flags) {
      const option = new Option(names, description);
      command.addOption(
        parse === undefined
          ? option
          : option.argParser(parse as (value: string, earlier: unknown) => unknown),
      );
    }
  }
}

/** The long spelling: `--model`. */
export function longName({ flags }: FlagSpec): string {
  return new Option(flags).long ?? flags;
}

/** What was given of a flag; undefined: nothing. */
export function givenOf({ flags }: FlagSpec, all: object): unknown {
  const option = new Option(flags);
  const value = (all as Readonly<Record<string, unknown>>)[option.attributeName()];
  return option.negate && value !== false ? undefined : value;
}
