import type { EnvironmentDefinition } from '@hermes/env-core';
import { CommanderError } from 'commander';
import type { CliContext, Output } from './context.ts';
import { describeFailure } from './describe-failure.ts';
import { takeDottedFlags } from './dotted-flags.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { builtinModels, type ModelEntry } from './models.ts';
import { createProgram } from './program.ts';
import { listenForInterrupts } from './signals.ts';

/** Everything has a default: the process's own streams, folder and variables, and the parts that come with the command. */
export interface CliOptions {
  /** Environments that can be named beside the built-in ones; a benchmark app passes its own. */
  readonly environments?: readonly EnvironmentDefinition[];
  /** Models that `--model` can name beside the built-in ones. */
  readonly models?: readonly ModelEntry[];
  readonly stdout?: Output;
  readonly stderr?: Output;
  readonly workingDirectory?: string;
  readonly environmentVariables?: Readonly<Record<string, string | undefined>>;
  /** Ends the command cleanly. Default: SIGINT and SIGTERM of this process. */
  readonly signal?: AbortSignal;
}

/** Runs one `hermes` command to its end and returns its exit code. Never rejects, never calls `process.exit` by itself. */
export async function runCli(argv: readonly string[], options: CliOptions = {}): Promise<ExitCode> {
  const stderr = options.stderr ?? processOutput(process.stderr);
  const interrupts =
    options.signal === undefined
      ? listenForInterrupts((name) =>
          stderr.write(`\n${name}: ending the run cleanly; once more to stop at once\n`),
        )
      : null;
  const context: CliContext = {
    stdout: options.stdout ?? processOutput(process.stdout),
    stderr,
    workingDirectory: options.workingDirectory ?? process.cwd(),
    environmentVariables: options.environmentVariables ?? process.env,
    signal: options.signal ?? interrupts?.signal ?? new AbortController().signal,
    environments: options.environments ?? [],
    models: [...builtinModels, ...(options.models ?? [])],
  };
  try {
    return await runCommand(argv, context);
  } finally {
    interrupts?.dispose();
  }
}

async function runCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ran;
  try {
    const { rest, dotted } = takeDottedFlags(argv);
    const program = createProgram(context, dotted, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...rest], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ran : exitCodes.wrongUsage;
    const failure = describeFailure(error, context);
    context.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}

function processOutput(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80;
    },
  };
}
