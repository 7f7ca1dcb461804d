import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import { checkToolResult } from './check-tool-result.ts';
import { countInnerCalls } from './count-inner-calls.ts';
import type { Invocation } from './invocation.ts';
import { createDelegation } from './subagents.ts';
import type { TurnCall } from './tell-tool-call.ts';
import { thrownResult } from './tool-results.ts';

/** Runs a tool to its end; a throw, and a stop that it does not heed, become results. */
export async function invokeTool(
  invocation: Invocation,
  call: TurnCall,
  tool: Tool,
  args: JsonObject,
): Promise<ToolResult> {
  const { stop } = invocation;
  const delegation = createDelegation(invocation, call.prepared.call.id);
  let isOpen = true;
  const context: ToolCallContext = {
    ...toolCallContext(invocation, call),
    emit: countInnerCalls(invocation, () => isOpen),
    ...(delegation && { delegate: delegation.delegate }),
  };
  try {
    return checkToolResult(await stop.bound((async () => tool.execute(args, context))()));
  } catch (error) {
    return thrownResult(error, stop.reason() !== null);
  } finally {
    isOpen = false;
    await delegation?.close();
  }
}

/** What a tool knows of its call; `invokeTool` adds what only a running tool may do. */
export function toolCallContext(
  invocation: Invocation,
  { prepared, turn, callKey }: TurnCall,
): ToolCallContext {
  const { options, stop } = invocation;
  return {
    rolloutId: options.identity.rolloutId,
    invocationId: invocation.id,
    turn,
    signal: stop.signal,
    effects: options.effects,
    toolCallId: prepared.call.id,
    callKey,
    emit: invocation.emit,
  };
}
