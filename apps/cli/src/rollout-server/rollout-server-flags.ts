import type { FlagGroup } from '../config/flag-spec.ts';
import type { RunFlags } from '../config/run-flags.ts';
import { filled, positiveInteger, wholeNumber } from '../flag-values.ts';

/** The flags of `hermes rollout-server`. */
export type RolloutServerFlags = RunFlags &
  Readonly<{
    host?: string;
    port?: number;
    tokenFile?: string;
    maxSessions?: number;
    json?: boolean;
  }>;

/** Those that no other command has, in the order of `--help`. */
export const rolloutServerFlagGroups: readonly FlagGroup[] = [
  {
    heading: 'Server:',
    flags: [
      {
        flags: '--host <address>',
        description: 'where it listens (default: 127.0.0.1); another one needs --token-file',
        parse: filled,
      },
      {
        flags: '--port <n>',
        description: '0 is any free one (default: 9000)',
        parse: wholeNumber,
      },
      {
        flags: '--token-file <file>',
        description: 'the token that callers must bear',
        parse: filled,
      },
      {
        flags: '--max-sessions <n>',
        description: 'OpenEnv sessions at once (default: 1000)',
        parse: positiveInteger,
      },
      { flags: '--json', description: 'where it listens as JSON' },
    ],
  },
];
