import type { ToolResult } from '@hermes/protocol';

/** A result as a tool or a result budget returned it; throws TypeError when it is none. */
export function checkToolResult(value: unknown): ToolResult {
  if (!isObject(value) || !isContent(value.content)) throw new TypeError('it returned no content');
  if (!STATUSES.has(value.status)) throw new TypeError('it returned no status that there is');
  if (value.status !== 'completed' && !isErrorInfo(value.error)) {
    throw new TypeError('it failed without saying why');
  }
  return value as ToolResult;
}

/** Whether it can stand for a result. */
export function isToolResult(value: unknown): value is ToolResult {
  try {
    checkToolResult(value);
    return true;
  } catch {
    return false;
  }
}

const STATUSES: ReadonlySet<unknown> = new Set<ToolResult['status']>([
  'completed',
  'failed',
  'timeout',
  'cancelled',
]);

function isContent(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === 'string';
  return value.every((part) => isObject(part) && typeof part.type === 'string');
}

function isErrorInfo(value: unknown): boolean {
  return isObject(value) && typeof value.message === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
