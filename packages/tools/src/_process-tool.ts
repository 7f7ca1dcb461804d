import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import { z } from 'zod';
import { parseArguments } from './_arguments.ts';
import type { BackgroundProcess } from './_background-process.ts';
import { closeInput, killProcess, sendInput } from './_process-control.ts';
import type { ProcessRegistry } from './_process-registry.ts';
import { PROCESS_ACTIONS, processSchema } from './_process-schema.ts';
import { describeForList, logOf, pollOf } from './_process-views.ts';
import { waitForProcess } from './_process-wait.ts';
import { completed, defineTool, failed } from './_tool.ts';

type ProcessParts = Readonly<{ registry: ProcessRegistry; maxWaitMs: number }>;

const ARGUMENTS = z.object({
  action: z.enum(PROCESS_ACTIONS),
  session_id: z.string().optional(),
  data: z.string().default(''),
  timeout: z.number().min(1).optional(),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).default(200),
});
type Arguments = z.infer<typeof ARGUMENTS>;

/** The tool `process`. */
export function createProcessTool(parts: ProcessParts): Tool {
  return defineTool({
    schema: processSchema,
    parallel: false,
    run: (args, context) => run(parts, args, context),
    errorDocument: (error) => ({ error }),
  });
}

async function run(
  parts: ProcessParts,
  args: JsonObject,
  context: ToolCallContext,
): Promise<ToolResult> {
  const parsed = parseArguments(ARGUMENTS, args);
  if (!parsed.ok) return failed('INVALID_ARGUMENTS', { error: parsed.message });
  const { action, session_id: id } = parsed.value;
  const now = context.effects.clock.now();
  if (action === 'list') {
    const processes = parts.registry.list().map((process) => describeForList(process, now));
    return completed({ processes });
  }
  if (id === undefined || id === '') {
    return failed('INVALID_ARGUMENTS', { error: `session_id is required for ${action}` });
  }
  const process = parts.registry.get(id);
  if (process === null) return notFound(id);
  return await act(process, parsed.value, parts.maxWaitMs, context);
}

async function act(
  process: BackgroundProcess,
  args: Arguments,
  maxWaitMs: number,
  context: ToolCallContext,
): Promise<ToolResult> {
  switch (args.action) {
    case 'poll':
      return completed(pollOf(process, context.effects.clock.now()));
    case 'log':
      return completed(logOf(process, args.offset, args.limit));
    case 'wait':
      return await waitForProcess(process, args.timeout, maxWaitMs, context);
    case 'kill':
      return await killProcess(process);
    case 'write':
      return await sendInput(process, args.data, context);
    case 'submit':
      return await sendInput(process, `${args.data}\n`, context);
    case 'close':
      return await closeInput(process);
    case 'list':
      return completed({ processes: [] }); // answered above, without a session
  }
}

function notFound(id: string): ToolResult {
  const error = `No process with the session id ${id}`;
  return failed('NOT_FOUND', { status: 'not_found', error });
}
