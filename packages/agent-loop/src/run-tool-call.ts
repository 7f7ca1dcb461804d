import type { JsonObject, Tool, ToolResult } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';
import { type Invoked, invokeTool, toolCallContext } from './invoke-tool.ts';
import { limitResult } from './limit-results.ts';
import { type TurnCall, tellToolStart } from './tell-tool-call.ts';
import { cancelledResult, refusedResult, reportedError, thrownResult } from './tool-results.ts';

/** What became of a call, before the limit of the whole turn. */
export type CallOutcome = Readonly<{
  callKey: string;
  result: ToolResult;
  /** What the record says went wrong; null = nothing. `reported`: by the tool itself. */
  error: Readonly<{ message: string; reported: boolean }> | null;
}>;

/** Runs or refuses one call. Never throws; tells exactly one start and one end. */
export async function runToolCall(invocation: Invocation, call: TurnCall): Promise<CallOutcome> {
  const { plan } = call.prepared;
  if (plan.kind === 'refuse') return refuse(invocation, call, plan);
  const { depth, options, stop, time } = invocation;
  // A child's tools run within the slot of the tool that started it: a second one could wait for it for ever.
  const limiter = depth === 0 ? options.toolLimiter : undefined;
  try {
    return await time.through(limiter, stop.signal, () => {
      stop.signal.throwIfAborted();
      return execute(invocation, call, plan.tool, plan.args);
    });
  } catch (error) {
    // Nothing else rejects: the tool was not begun.
    return notBegun(invocation, call, error);
  }
}

type Plan = TurnCall['prepared']['plan'];

async function refuse(
  invocation: Invocation,
  call: TurnCall,
  { refused, message, received, error }: Extract<Plan, { kind: 'refuse' }>,
): Promise<CallOutcome> {
  const tellEnd = tellToolStart(invocation, call, refused);
  const refusal = refusedResult(refused.toUpperCase(), message, received);
  const result = await limitResult(invocation, refusal, null, toolCallContext(invocation, call));
  tellEnd(result);
  return { callKey: call.callKey, result, error: { message: error, reported: false } };
}

function notBegun(invocation: Invocation, call: TurnCall, error: unknown): CallOutcome {
  const tellEnd = tellToolStart(invocation, call, null);
  const result = invocation.stop.reason() ? cancelledResult() : thrownResult(error, false);
  tellEnd(result);
  return { callKey: call.callKey, result, error: errorOf({ result, threw: true }) };
}

async function execute(
  invocation: Invocation,
  call: TurnCall,
  tool: Tool,
  args: JsonObject,
): Promise<CallOutcome> {
  const tellEnd = tellToolStart(invocation, call, null);
  const context = toolCallContext(invocation, call);
  const invoked = await invokeTool(invocation, context, tool, args);
  const result = await limitResult(invocation, invoked.result, tool, context);
  tellEnd(result);
  return { callKey: call.callKey, result, error: errorOf(invoked) };
}

/** A cancelled tool is not the model's error. */
function errorOf({ result, threw }: Invoked): CallOutcome['error'] {
  if (result.status === 'cancelled') return null;
  if (result.status !== 'completed') return { message: result.error.message, reported: !threw };
  const message = reportedError(result.content);
  return message === null ? null : { message, reported: true };
}
