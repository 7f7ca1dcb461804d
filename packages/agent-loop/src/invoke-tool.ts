import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import { checkToolResult } from './check-tool-result.ts';
import { countInnerCalls } from './count-inner-calls.ts';
import type { Invocation } from './invocation.ts';
import { createDelegation } from './subagents.ts';
import type { TurnCall } from './tell-tool-call.ts';
import { thrownResult } from './tool-results.ts';

/** threw: the result is the loop's own, for a tool that gave none. */
export type Invoked = Readonly<{ result: ToolResult; threw: boolean }>;

/** Runs a tool to its end; a throw, and a stop that it does not heed, become results. */
export async function invokeTool(
  invocation: Invocation,
  call: ToolCallContext,
  tool: Tool,
  args: JsonObject,
): Promise<Invoked> {
  const { stop } = invocation;
  const delegation = createDelegation(invocation, call.toolCallId);
  let isOpen = true;
  const context: ToolCallContext = {
    ...call,
    emit: countInnerCalls(invocation, () => isOpen),
    ...(delegation && { delegate: delegation.delegate }),
  };
  try {
    const returned = await stop.bound(Promise.resolve(tool.execute(args, context)));
    return { result: checkToolResult(returned), threw: false };
  } catch (error) {
    return { result: thrownResult(error, stop.reason() !== null), threw: true };
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
