import type { ErrorInfo, ToolResult } from '@hermes/protocol';
import { describeThrown, errorInfoOf } from './error-info.ts';

/** What the model sees of a failure: one JSON document. */
function errorContent(message: string, received?: string): string {
  const more = received === undefined ? '' : `, "received": ${JSON.stringify(received)}`;
  return `{"error": ${JSON.stringify(message)}${more}}`;
}

/** A tool that threw, or that was left behind after a stop. */
export function thrownResult(error: unknown, stopped: boolean): ToolResult {
  const message = `Tool execution failed: ${describeThrown(error)}`;
  return {
    status: stopped ? 'cancelled' : 'failed',
    content: errorContent(message),
    error: errorInfoOf(error, 'tool', stopped ? 'CANCELLED' : 'TOOL_THREW'),
  };
}

/** A call that the loop did not run. */
export function refusedResult(code: string, message: string, received?: string): ToolResult {
  const content = errorContent(message, received);
  return { status: 'failed', content, error: toolError(code, message) };
}

/** A call that was not begun before the loop was stopped. */
export function cancelledResult(): ToolResult {
  const message = 'The tool was not run: the rollout was stopped.';
  return {
    status: 'cancelled',
    content: errorContent(message),
    error: toolError('CANCELLED', message),
  };
}

function toolError(code: string, message: string): ErrorInfo {
  return { boundary: 'tool', code, message, retryable: false };
}

/** The text of a result, whatever its content is made of. */
export function textOf(content: ToolResult['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** A key `error` with a truthy value, or exit code 124; cheap, and true too often rather than too seldom. */
const MAY_REPORT = /"error"\s*:\s*(?!null|false|""|0\s*[,}])|"exit_code"\s*:\s*124\b/;

/**
 * The error that a tool reports in its own answer: an `error` without a positive exit code, or a
 * timeout (124). null = none: a command that failed is ordinary work.
 */
export function reportedError(content: ToolResult['content']): string | null {
  const text = textOf(content);
  if (!MAY_REPORT.test(text)) return null;
  const report = parseReport(text);
  if (!report) return null;
  const { error, exit_code: exitCode } = report;
  if (exitCode === 124) return error ? describe(error) : 'The command timed out (exit code 124).';
  if (!error) return null;
  const isOrdinary = typeof exitCode === 'number' && exitCode >= 0;
  return isOrdinary ? null : describe(error);
}

function parseReport(text: string): { error?: unknown; exit_code?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    // A tool may answer in plain text: it reports nothing.
    return null;
  }
}

function describe(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** The first characters (Unicode code points) of a text. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}
