import type { FlagSpec } from '../config/flag-spec.ts';
import { filled, positiveInteger, positiveNumber, wholeNumber } from '../flag-values.ts';
import { labelFlag } from './source-flags.ts';

/** Flags of `hermes sandbox run` beside those of every command about sandboxes. */
export const runFlags: readonly FlagSpec[] = [
  { flags: '--image <name>', description: 'an image', parse: filled },
  { flags: '--build <folder>', description: 'a folder with a Dockerfile', parse: filled },
  {
    flags: '--network <mode>',
    description: 'none or open (default: that of the provider)',
    parse: filled,
  },
  { flags: '--workdir <path>', description: 'where the command starts', parse: filled },
  { flags: '--user <name>', description: 'who runs the command', parse: filled },
  labelFlag('a label'),
  {
    flags: '--lifetime <seconds>',
    description: 'then it ends by itself (default: 3600)',
    parse: positiveNumber,
  },
  {
    flags: '--timeout <seconds>',
    description: 'of the command (default: as long as the sandbox)',
    parse: positiveNumber,
  },
  {
    flags: '-i, --interactive',
    description: 'the command reads the standard input of this one',
  },
];

/** Flags of `hermes sandbox rm`. */
export const removeFlags: readonly FlagSpec[] = [
  labelFlag('all with this label'),
  { flags: '-f, --force', description: 'also those whose run is alive' },
];

/** Flags of `hermes sandbox reap`. */
export const reapFlags: readonly FlagSpec[] = [
  labelFlag('only those with this label'),
  { flags: '--dry-run', description: 'say what would be removed' },
];

/** Flags of `hermes sandbox serve`. */
export const serveFlags: readonly FlagSpec[] = [
  { flags: '--provider <name>', description: 'the same as --sandbox', parse: filled },
  {
    flags: '--token-file <file>',
    description: 'the token that callers must bear',
    parse: filled,
  },
  {
    flags: '--host <address>',
    description: 'where it listens (default: 127.0.0.1)',
    parse: filled,
  },
  { flags: '--port <n>', description: '0 is any free one (default: 8080)', parse: wholeNumber },
  {
    flags: '--slots <n>',
    description: 'how many sandboxes at most (default: 10)',
    parse: positiveInteger,
  },
  { flags: '--image <name>', description: 'an image for every slot', parse: filled },
  {
    flags: '--lifetime <seconds>',
    description: 'of a sandbox (default: 4 hours)',
    parse: positiveNumber,
  },
  {
    flags: '--insecure-no-sandbox',
    description: 'serve also where nothing is isolated',
  },
];
