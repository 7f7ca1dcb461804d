import type { ToolResult } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';
import type { PreparedCall } from './prepare-call.ts';

/** A call of a turn: `callKey` is unique in the rollout. */
export type TurnCall = Readonly<{ prepared: PreparedCall; turn: number; callKey: string }>;

/** Log a tool that took longer: the limiter may be too small for such tools. */
const SLOW_MS = 30_000;

/** Tells the start of a call. The returned function tells its end, on the same clock. */
export function tellToolStart(
  invocation: Invocation,
  { prepared, turn, callKey }: TurnCall,
  refused: 'unknown_tool' | 'bad_arguments' | null,
): (result: ToolResult) => void {
  const { clock } = invocation.options.effects;
  const { id: toolCallId, name: toolName, rawArguments } = prepared.call;
  const invocationId = invocation.id;
  const ids = { invocationId, turn, toolCallId, callKey };
  invocation.emit({ type: 'tool_start', ...ids, toolName, rawArguments, sandboxId: null });
  const startedMs = clock.now().monoMs;
  return (result) => {
    const durationMs = clock.now().monoMs - startedMs;
    invocation.tally.toolMs += durationMs;
    if (durationMs > SLOW_MS) reportSlow(invocation, toolName, durationMs);
    invocation.emit({ type: 'tool_end', callKey, result, durationMs, refused });
  };
}

function reportSlow({ options }: Invocation, toolName: string, durationMs: number): void {
  const queued = options.toolLimiter?.stats().queued ?? 0;
  options.effects.logger.log('info', 'A tool took long.', { toolName, durationMs, queued });
}
