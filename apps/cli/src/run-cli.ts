import type { Readable } from 'node:stream';
import type { EnvironmentDefinition } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import { CommanderError } from 'commander';
import type { CliContext, Output } from './context.ts';
import { describeFailure } from './describe-failure.ts';
import { takeDottedFlags } from './dotted-flags.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { builtinModels, type ModelEntry } from './models.ts';
import type { ParserEntry } from './parsers.ts';
import { processOutput } from './process-output.ts';
import { createProgram } from './program.ts';
import { listenForInterrupts } from './signals.ts';

/** Everything has a default: the process's own streams, folder and variables, and the parts that come with the command. */
export interface CliOptions {
  /** Environments that can be named beside the built-in ones; a benchmark app passes its own. */
  readonly environments?: readonly EnvironmentDefinition[];
  /** Models that `--model` can name beside the built-in ones. */
  readonly models?: readonly ModelEntry[];
  /** Parsers that `--parser` can name beside those of `@hermes/parsers`: they read tool calls out of plain text. */
  readonly parsers?: readonly ParserEntry[];
  readonly stdin?: Readable;
  readonly stdout?: Output;
  readonly stderr?: Output;
  readonly workingDirectory?: string;
  readonly environmentVariables?: Readonly<Record<string, string | undefined>>;
  /** Ends the command cleanly. Default: SIGINT, SIGTERM and SIGHUP of this process. */
  readonly signal?: AbortSignal;
}

/** Runs one `hermes` command to its end and returns its exit code. Never rejects, never calls `process.exit` by itself. */
export async function runCli(argv: readonly string[], options: CliOptions = {}): Promise<ExitCode> {
  const stdout = processOutput(process.stdout, 'stdout');
  const stderr = processOutput(process.stderr, 'stderr');
  const streams = { stdout: options.stdout ?? stdout, stderr: options.stderr ?? stderr };
  const interrupts =
    options.signal === undefined ? listenForInterrupts((text) => streams.stderr.write(text)) : null;
  const signal = options.signal ?? interrupts?.signal ?? new AbortController().signal;
  try {
    const exitCode = await runCommand(argv, options, { ...streams, signal });
    return afterOutput(exitCode, await stdout.end(), streams.stderr);
  } finally {
    await stderr.end();
    interrupts?.dispose();
  }
}

/** A run whose output is incomplete has not simply ended well. */
function afterOutput(exitCode: ExitCode, failure: HermesError | null, stderr: Output): ExitCode {
  if (failure === null) return exitCode;
  stderr.write(`hermes: ${failure.message}\n`);
  return exitCode === exitCodes.ran ? exitCodes.runFailed : exitCode;
}

type Streams = Pick<CliContext, 'stdout' | 'stderr' | 'signal'>;

function createContext(options: CliOptions, streams: Streams): CliContext {
  return {
    ...streams,
    stdin: () => options.stdin ?? process.stdin,
    workingDirectory: options.workingDirectory ?? currentFolder(),
    environmentVariables: options.environmentVariables ?? process.env,
    environments: options.environments ?? [],
    models: [...builtinModels, ...(options.models ?? [])],
    parsers: options.parsers ?? [],
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'the current folder is gone; change to one that is there';
    throw new HermesError('config', 'CONFIG', message, { cause });
  }
}

async function runCommand(
  argv: readonly string[],
  options: CliOptions,
  streams: Streams,
): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ran;
  try {
    streams.signal.throwIfAborted();
    const context = createContext(options, streams);
    const { rest, dotted } = takeDottedFlags(argv);
    const program = createProgram(context, dotted, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...rest], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return afterUsage(error, argv, streams.stderr);
    const variables = options.environmentVariables ?? process.env;
    const failure = describeFailure(error, streams.signal, variables);
    streams.stderr.write(`${failure.message}\n`);
    return failure.exitCode;
  }
}

/** The parser has said what is wrong already. */
async function afterUsage(
  error: CommanderError,
  argv: readonly string[],
  stderr: Output,
): Promise<ExitCode> {
  if (error.exitCode === 0) return exitCodes.ran;
  const { usageHint } = await import('./config/usage-hint.ts');
  const hint = usageHint(error, argv);
  if (hint !== null) stderr.write(`${hint}\n`);
  return exitCodes.wrongUsage;
}
