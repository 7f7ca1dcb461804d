import { HermesError } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { printableLines } from './display/format.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Turns what a command threw into one message and an exit code. A stack trace only with HERMES_DEBUG=1. */
export function describeFailure(
  error: unknown,
  signal: AbortSignal,
  variables: CliContext['environmentVariables'],
): { message: string; exitCode: ExitCode } {
  if (signal.aborted) return { message: 'interrupted', exitCode: exitCodes.interrupted };
  const isDebug = variables.HERMES_DEBUG === '1';
  const stack = isDebug && error instanceof Error ? `\n${error.stack}` : '';
  if (HermesError.isInstance(error))
    return {
      message: `hermes: ${printableLines(error.message)}${stack}`,
      exitCode: exitCodeOf(error),
    };
  const message = error instanceof Error ? error.message : String(error);
  const hint = isDebug ? '' : ' (HERMES_DEBUG=1 shows where)';
  return {
    message: `hermes: unexpected error: ${printableLines(message)}${hint}${stack}`,
    exitCode: exitCodes.runFailed,
  };
}

const usageCodes: readonly string[] = ['CONFIG', 'UNSUPPORTED', 'PORT_IN_USE', 'LOG_IN_USE'];

/** What the user can mend in the command or its files is wrong usage; the rest is a failure of the run. */
function exitCodeOf(error: HermesError): ExitCode {
  if (error.code === 'DISK_FULL') return exitCodes.runFailed;
  const isUsage =
    error.boundary === 'config' || error.boundary === 'data' || usageCodes.includes(error.code);
  return isUsage ? exitCodes.wrongUsage : exitCodes.runFailed;
}
