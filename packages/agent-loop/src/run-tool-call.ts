import type { JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import { countInnerCalls } from './count-inner-calls.ts';
import { messageOf } from './error-info.ts';
import type { Invocation } from './invocation.ts';
import type { PreparedCall } from './prepare-call.ts';
import { createDelegation } from './subagents.ts';
import { cancelledResult, refusedResult, reportedError, thrownResult } from './tool-results.ts';

/** A call of a turn: `callKey` is unique in the rollout. */
export type TurnCall = Readonly<{ prepared: PreparedCall; turn: number; callKey: string }>;

/** What became of a call, before the limit of the whole turn. */
export type CallOutcome = Readonly<{
  callKey: string;
  result: ToolResult;
  /** What the record says went wrong; null = nothing. `reported`: by the tool itself. */
  error: Readonly<{ message: string; reported: boolean }> | null;
}>;

/** Log a tool that took longer: the limiter may be too small for such tools. */
const SLOW_MS = 30_000;

/** Runs or refuses one call. Never throws; tells exactly one start and one end. */
export async function runToolCall(invocation: Invocation, call: TurnCall): Promise<CallOutcome> {
  const { plan } = call.prepared;
  if (plan.kind === 'refuse') {
    const refusal = refusedResult(plan.refused.toUpperCase(), plan.message, plan.received);
    const finish = async () => limit(invocation, refusal, null, contextOf(invocation, call));
    const result = await told(invocation, call, plan.refused, finish);
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
  const result = await told(invocation, call, null, async () => unstarted);
  return { callKey: call.callKey, result, error: errorOf(result) };
}

async function execute(
  invocation: Invocation,
  call: TurnCall,
  tool: Tool,
  args: JsonObject,
): Promise<CallOutcome> {
  let error: CallOutcome['error'] = null;
  const result = await told(invocation, call, null, async () => {
    const raw = await invoke(invocation, call, tool, args);
    error = errorOf(raw);
    return limit(invocation, raw, tool, contextOf(invocation, call));
  });
  return { callKey: call.callKey, result, error };
}

/** Tells start and end around the work, on one clock. */
async function told(
  invocation: Invocation,
  { prepared, turn, callKey }: TurnCall,
  refused: 'unknown_tool' | 'bad_arguments' | null,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { clock } = invocation.options.effects;
  const { id: toolCallId, name: toolName, rawArguments } = prepared.call;
  const invocationId = invocation.id;
  const ids = { invocationId, turn, toolCallId, callKey };
  invocation.emit({ type: 'tool_start', ...ids, toolName, rawArguments, sandboxId: null });
  const startedMs = clock.now().monoMs;
  const result = await work();
  const durationMs = clock.now().monoMs - startedMs;
  invocation.tally.toolMs += durationMs;
  if (durationMs > SLOW_MS) reportSlow(invocation, toolName, durationMs);
  invocation.emit({ type: 'tool_end', callKey, result, durationMs, refused });
  return result;
}

async function invoke(
  invocation: Invocation,
  call: TurnCall,
  tool: Tool,
  args: JsonObject,
): Promise<ToolResult> {
  const { stop } = invocation;
  const delegation = createDelegation(invocation, call.prepared.call.id);
  let isOpen = true;
  const context: ToolCallContext = {
    ...contextOf(invocation, call),
    emit: countInnerCalls(invocation, () => isOpen),
    ...(delegation && { delegate: delegation.delegate }),
  };
  try {
    const result = await stop.bound((async () => tool.execute(args, context))());
    if (typeof result?.content === 'string' || Array.isArray(result?.content)) return result;
    throw new TypeError('the tool returned no content');
  } catch (error) {
    return thrownResult(error, stop.reason() !== null);
  } finally {
    isOpen = false;
    await delegation?.close();
  }
}

function contextOf(invocation: Invocation, { prepared, turn, callKey }: TurnCall): ToolCallContext {
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

/** The budget promises not to throw; a result must not be lost if it does. */
async function limit(
  { options, stop }: Invocation,
  result: ToolResult,
  tool: Tool | null,
  context: ToolCallContext,
): Promise<ToolResult> {
  if (!options.resultBudget) return result;
  try {
    return await stop.bound(options.resultBudget.limitResult(result, tool, context));
  } catch (error) {
    const message = 'A tool result could not be limited; it is passed on whole.';
    options.effects.logger.log('error', message, { error: messageOf(error) });
    return result;
  }
}

/** A cancelled tool is not the model's error. */
function errorOf(result: ToolResult): CallOutcome['error'] {
  if (result.status === 'cancelled') return null;
  if (result.status !== 'completed') return { message: result.error.message, reported: false };
  const message = reportedError(result.content);
  return message === null ? null : { message, reported: true };
}

function reportSlow({ options }: Invocation, toolName: string, durationMs: number): void {
  const queued = options.toolLimiter?.stats().queued ?? 0;
  options.effects.logger.log('info', 'A tool took long.', { toolName, durationMs, queued });
}
