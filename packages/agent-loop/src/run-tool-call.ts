import type { JsonObject, Tool, ToolResult } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';
import { type Invoked, invokeTool, toolCallContext } from './invoke-tool.ts';
import { limitResult } from './limit-results.ts';
import { type TurnCall, tellToolCall } from './tell-tool-call.ts';
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
  if (plan.kind === 'refuse') {
    const refusal = refusedResult(plan.refused.toUpperCase(), plan.message, plan.received);
    const finish = async () =>
      limitResult(invocation, refusal, null, toolCallContext(invocation, call));
    const result = await tellToolCall(invocation, call, plan.refused, finish);
    return { callKey: call.callKey, result, error: { message: plan.error, reported: false } };
  }
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

async function notBegun(
  invocation: Invocation,
  call: TurnCall,
  error: unknown,
): Promise<CallOutcome> {
  const unstarted = invocation.stop.reason() ? cancelledResult() : thrownResult(error, false);
  const result = await tellToolCall(invocation, call, null, async () => unstarted);
  return { callKey: call.callKey, result, error: errorOf({ result, threw: true }) };
}

async function execute(
  invocation: Invocation,
  call: TurnCall,
  tool: Tool,
  args: JsonObject,
): Promise<CallOutcome> {
  let error: CallOutcome['error'] = null;
  const result = await tellToolCall(invocation, call, null, async () => {
    const invoked = await invokeTool(invocation, call, tool, args);
    error = errorOf(invoked);
    return limitResult(invocation, invoked.result, tool, toolCallContext(invocation, call));
  });
  return { callKey: call.callKey, result, error };
}

/** A cancelled tool is not the model's error. */
function errorOf({ result, threw }: Invoked): CallOutcome['error'] {
  if (result.status === 'cancelled') return null;
  if (result.status !== 'completed') return { message: result.error.message, reported: !threw };
  const message = reportedError(result.content);
  return message === null ? null : { message, reported: true };
}
