import type { Logger } from '@hermes/protocol';
import type { CliContext, Output } from './context.ts';
import { clearLine, printable } from './display/format.ts';

/** Writes warnings and errors of the run's parts to stderr, one line each; with isDebug the smaller notes too. */
export function createStderrLogger(stderr: Output, isDebug: boolean): Logger {
  return {
    log(level, message, fields) {
      if (!isDebug && (level === 'debug' || level === 'info')) return;
      const name = level === 'warn' ? 'warning' : level;
      const details = fields === undefined ? '' : ` ${JSON.stringify(fields)}`;
      const line = `hermes: ${name}: ${printable(message + details)}\n`;
      stderr.write(stderr.isTerminal ? clearLine + line : line);
    },
  };
}

/** The logger of a command. */
export function loggerOf(context: CliContext): Logger {
  return createStderrLogger(context.stderr, context.environmentVariables.HERMES_DEBUG === '1');
}
