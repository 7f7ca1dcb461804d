import { constants } from 'node:os';
import type { ExecResult } from '@hermes/sandbox';
import { headOf } from './head-of.ts';
import type { ToolAnswer } from './tool.ts';

/** As `timeout` of coreutils says it. */
const TIMEOUT_CODE = 124;
const CANCELLED_CODE = 130;
const NOT_STARTED_CODE = 127;
const SIGNAL_BASE = 128;

/** How a command ended, in the words of the wire. maxChars: of the output, from its start. */
export function commandAnswer(
  result: ExecResult,
  isolation: ToolAnswer['metadata'],
  maxChars: number,
): ToolAnswer {
  const exitCode = exitCodeOf(result);
  const { text, isCut } = headOf(outputOf(result), maxChars);
  return {
    success: result.status === 'exited' && exitCode === 0,
    output: text,
    error: errorOf(result),
    metadata: {
      exit_code: exitCode,
      returncode: exitCode,
      ...isolation,
      ...(result.status === 'timeout' ? { timeout: true } : {}),
      ...(isCut ? { truncated: true } : {}),
    },
  };
}

/** What it wrote to stderr follows under a line of its own. */
function outputOf({ stdout, stderr }: ExecResult): string {
  const [output, errors] = [stdout.text(), stderr.text()];
  if (errors === '') return output;
  const gap = output === '' || output.endsWith('\n') ? '' : '\n';
  return `${output}${gap}[stderr]\n${errors}`;
}

function exitCodeOf(result: ExecResult): number {
  switch (result.status) {
    case 'exited':
      return result.exitCode;
    case 'timeout':
      return TIMEOUT_CODE;
    case 'cancelled':
      return CANCELLED_CODE;
    case 'not_started':
      return NOT_STARTED_CODE;
    case 'signaled':
      return SIGNAL_BASE + numberOf(result.signal);
    default:
      return SIGNAL_BASE + constants.signals.SIGKILL;
  }
}

function numberOf(signal: string): number {
  const names: Readonly<Record<string, number>> = constants.signals;
  return names[signal] ?? names[`SIG${signal}`] ?? constants.signals.SIGKILL;
}

function errorOf(result: ExecResult): string {
  switch (result.status) {
    case 'exited':
      return result.exitCode === 0 ? '' : `the command ended with exit code ${result.exitCode}`;
    case 'timeout':
      return 'the command ran past its time and was ended; the slot and its files are there';
    case 'signaled':
      return `the command was ended by ${result.signal}`;
    case 'oom':
      return 'the command was ended: out of memory';
    case 'not_started':
      return `the command could not be started: ${result.message}`;
    default:
      return `the command was ended: ${result.status}`;
  }
}
