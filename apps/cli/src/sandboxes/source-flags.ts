import type { FlagGroup, FlagSpec } from '../config/flag-spec.ts';
import { collectPairs, filled } from '../flag-values.ts';

/** Settings of providers from a file, and output for programs: flags of every command about sandboxes. */
export const settingFlags: FlagGroup = {
  heading: 'Options:',
  flags: [
    {
      flags: '-c, --config <file>',
      description: 'YAML whose section env has settings of providers',
      parse: filled,
    },
    { flags: '--json', description: 'machine-readable' },
  ],
};

/** Flags of a command about the sandboxes of a provider, before its own. fallback: which it is where none is named. */
export function sourceFlags(fallback: string, own: readonly FlagSpec[]): readonly FlagGroup[] {
  const sandbox: FlagSpec = {
    flags: '-s, --sandbox <provider>',
    description: `the provider (default: ${fallback})`,
    parse: filled,
  };
  return [{ ...settingFlags, flags: [sandbox, ...settingFlags.flags, ...own] }];
}

/** `-l, --label`; what: which sandboxes it means. */
export function labelFlag(what: string): FlagSpec {
  return {
    flags: '-l, --label <key=value>',
    description: `${what}; repeatable`,
    parse: collectPairs,
  };
}
