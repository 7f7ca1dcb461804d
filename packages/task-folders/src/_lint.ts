import type { NetworkPolicy } from '@hermes/sandbox';
import type { TaskProblem } from './types.ts';

const PLACE = 'tests/test.sh';
const ERROR_EXIT = /^\s*set\s+(?:-[a-zA-Z]*e|-o\s+errexit)|^#!.*\s-[a-zA-Z]*e/m;
/** Commands that fetch something before the tests can run. */
export const INSTALLERS: RegExp =
  /\b(?:apt(?:-get)?|apk|curl|wget|uvx?|pip3? install|npm (?:install|ci)|git clone)\b/;

/** What is likely to go wrong in a verifier script. */
export function lintTestScript(text: string, network: NetworkPolicy): TaskProblem[] {
  return [
    ...warnIf(
      exitsBeforeReward(text),
      lineOf(text, /\$\?/),
      '`set -e` ends the script before `$?` is looked at: no reward is written when a command fails',
    ),
    ...warnIf(
      !/reward\.(?:txt|json)/.test(text),
      1,
      'the script names neither reward.txt nor reward.json',
    ),
    ...warnIf(
      network.mode === 'none' && INSTALLERS.test(text),
      lineOf(text, INSTALLERS),
      'the verifier installs tools, and the task has no network',
    ),
    ...warnIf(text.includes('\r\n'), 1, 'the script has Windows line ends'),
  ];
}

function exitsBeforeReward(text: string): boolean {
  return ERROR_EXIT.test(text) && /\$\?/.test(text) && !/^\s*set\s+\+[a-zA-Z]*e/m.test(text);
}

function warnIf(isSo: boolean, line: number, message: string): TaskProblem[] {
  return isSo ? [{ level: 'warning', message, place: `${PLACE}:${line}` }] : [];
}

function lineOf(text: string, pattern: RegExp): number {
  const index = text.search(pattern);
  return index < 0 ? 1 : text.slice(0, index).split('\n').length;
}
