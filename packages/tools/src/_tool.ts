import type {
  ErrorInfo,
  JsonObject,
  Tool,
  ToolCallContext,
  ToolResult,
  ToolSchema,
} from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';

type ToolParts = Readonly<{
  schema: ToolSchema;
  parallel: boolean;
  maxResultChars?: number;
  run: (args: JsonObject, context: ToolCallContext) => Promise<ToolResult>;
  /** The document a model sees when the sandbox failed. */
  errorDocument: (message: string) => JsonObject;
}>;

/**
 * A tool whose sandbox failures are results: the model reads a sentence, the runner finds the
 * boundary `sandbox` in the error. Any other throw is a defect and passes.
 */
export function defineTool(parts: ToolParts): Tool {
  const { schema, parallel, maxResultChars } = parts;
  const execute = async (args: JsonObject, context: ToolCallContext): Promise<ToolResult> => {
    if (context.signal.aborted)
      return cancelled(parts.errorDocument('Cancelled before it started'));
    try {
      return await parts.run(args, context);
    } catch (error) {
      if (!HermesError.isInstance(error) || error.boundary !== 'sandbox') throw error;
      return failedInSandbox(error, parts.errorDocument(error.message));
    }
  };
  return maxResultChars === undefined
    ? { schema, parallel, execute }
    : { schema, parallel, maxResultChars, execute };
}

/** A result that went as asked. */
export function completed(document: JsonObject): ToolResult {
  return { status: 'completed', content: JSON.stringify(document) };
}

/** A result that tells the model what went wrong. */
export function failed(code: string, document: JsonObject): ToolResult {
  const error = toolError(code, String(document.error ?? code));
  return { status: 'failed', content: JSON.stringify(document), error };
}

/** A command that outlived its time. */
export function timedOut(document: JsonObject, message: string): ToolResult {
  const error = toolError('COMMAND_TIMEOUT', message);
  return { status: 'timeout', content: JSON.stringify(document), error };
}

/** The rollout was stopped while the tool ran. */
export function cancelled(document: JsonObject): ToolResult {
  const error = toolError('CANCELLED', 'The tool call was cancelled');
  return { status: 'cancelled', content: JSON.stringify(document), error };
}

/** What the sandbox refused because of what was asked of it; the sandbox itself is well. */
const REFUSALS: ReadonlySet<string> = new Set(['UNSUPPORTED', 'SESSION_BUSY', 'EXEC_NOT_STARTED']);

function failedInSandbox(error: HermesError, document: JsonObject): ToolResult {
  if (REFUSALS.has(error.code)) return failed(error.code, document);
  const status = error.code === 'CANCELLED' ? 'cancelled' : 'failed';
  return { status, content: JSON.stringify(document), error: error.toInfo() };
}

function toolError(code: string, message: string): ErrorInfo {
  return { boundary: 'tool', code, message, retryable: false };
}
