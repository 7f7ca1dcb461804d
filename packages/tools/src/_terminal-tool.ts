import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import type { ExecResult } from '@hermes/sandbox';
import { z } from 'zod';
import { jsonTypeName, parseArguments } from './_arguments.ts';
import { exitCodeMeaning } from './_exit-code-meaning.ts';
import { absolutePath } from './_paths.ts';
import type { ProcessRegistry } from './_process-registry.ts';
import type { RolloutShell } from './_rollout-shell.ts';
import { startBackground } from './_start-background.ts';
import { shownExitCode, shownOutput } from './_terminal-output.ts';
import { terminalSchema } from './_terminal-schema.ts';
import { cancelled, completed, defineTool, failed, timedOut } from './_tool.ts';
import type { ToolResources } from './types.ts';

export type TerminalParts = Readonly<{
  resources: ToolResources;
  shell: RolloutShell;
  registry: ProcessRegistry;
  commandTimeoutMs: number;
  maxForegroundMs: number;
}>;

const ARGUMENTS = z.object({
  command: z.string(),
  background: z.boolean().default(false),
  timeout: z.number().min(1).optional(),
  workdir: z.string().optional(),
  pty: z.boolean().default(false),
});
type Arguments = z.infer<typeof ARGUMENTS>;

/** The tool `terminal`. */
export function createTerminalTool(parts: TerminalParts): Tool {
  const offerPty = parts.resources.capabilities?.tty ?? false;
  const seconds = { usual: parts.commandTimeoutMs / 1000, most: parts.maxForegroundMs / 1000 };
  return defineTool({
    schema: terminalSchema(offerPty, seconds),
    parallel: false,
    maxResultChars: 100_000,
    run: (args, context) => run(parts, args, context),
    errorDocument,
  });
}

async function run(
  parts: TerminalParts,
  args: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  if (typeof args.command !== 'string') {
    return refused(`Invalid command: expected string, got ${jsonTypeName(args.command)}`);
  }
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return refused(parsed.message);
  const tooLong = refuseLongForeground(parsed.value, parts.maxForegroundMs);
  if (tooLong !== null) return failed('TIMEOUT_TOO_LONG', { error: tooLong });
  const { workdir } = parsed.value;
  if (workdir !== undefined && !WORKDIR.test(workdir)) return blocked(workdir);
  return parsed.value.background
    ? await startBackground(parts, parsed.value, context)
    : await runForeground(parts, parsed.value, context);
}

async function runForeground(
  { resources, shell, commandTimeoutMs }: TerminalParts,
  { command, timeout, workdir }: Arguments,
  { signal }: ToolCallContext,
): Promise<ToolResult> {
  const sandbox = await resources.sandbox(signal);
  const timeoutMs = timeout === undefined ? commandTimeoutMs : timeout * 1000;
  const folder = workdir === undefined ? null : await absolutePath(workdir, resources, sandbox);
  const answer = await shell.run(sandbox, { command, timeoutMs, workdir: folder, signal });
  return present(command, answer.result, answer.note, timeoutMs);
}

function present(
  command: string,
  result: ExecResult,
  note: string | null,
  timeoutMs: number,
): ToolResult {
  if (result.status === 'not_started') return refused(result.message, 'EXEC_NOT_STARTED');
  const exitCode = shownExitCode(result);
  const ending = howItEnded(result, timeoutMs);
  const notes = [note, ending].filter((line) => line !== null);
  const meaning = exitCodeMeaning(command, exitCode);
  const document = { output: shownOutput(result, notes), exit_code: exitCode, error: null };
  if (result.status === 'timeout') return timedOut(document, ending ?? '');
  if (result.status === 'cancelled') return cancelled(document);
  return completed(meaning === null ? document : { ...document, exit_code_meaning: meaning });
}

function howItEnded(result: ExecResult, timeoutMs: number): string | null {
  if (result.status === 'timeout') return `[Command timed out after ${timeoutMs / 1000}s]`;
  if (result.status === 'cancelled') return '[Command interrupted]';
  if (result.status === 'oom') return '[Command killed: out of memory]';
  if (result.status === 'output_limit_killed') return '[Command killed: too much output]';
  return null;
}

function refuseLongForeground(args: Arguments, maxForegroundMs: number): string | null {
  const { background, timeout } = args;
  if (background || timeout === undefined || timeout * 1000 <= maxForegroundMs) return null;
  const maximum = maxForegroundMs / 1000;
  return `Foreground timeout ${timeout}s is more than the maximum of ${maximum}s. Use background=true for a longer command, and follow it with the process tool.`;
}

const WORKDIR = /^[A-Za-z0-9/_\-.~ +@=,]+$/;

function blocked(workdir: string): ToolResult {
  const error = `Blocked: workdir ${JSON.stringify(workdir)} has a character other than letters, digits and / _ - . ~ space + @ = ,`;
  return failed('WORKDIR_BLOCKED', { output: '', exit_code: -1, error, status: 'blocked' });
}

function refused(message: string, code = 'INVALID_ARGUMENTS'): ToolResult {
  return failed(code, errorDocument(message));
}

function errorDocument(message: string): JsonObject {
  return { output: '', exit_code: -1, error: message, status: 'error' };
}
