import type { Message, ToolResult } from '@hermes/protocol';
import type { Invocation } from './invocation.ts';
import { limitTurn } from './limit-results.ts';
import type { PreparedCall } from './prepare-call.ts';
import { type CallOutcome, runToolCall } from './run-tool-call.ts';
import type { TurnCall } from './tell-tool-call.ts';
import { firstCharacters, textOf } from './tool-results.ts';

/**
 * Answers all calls of a turn: one tool message each, in call order. Calls that follow each other
 * and may run in parallel are one batch; any other call is run alone, after all before it and
 * before all after it.
 */
export async function executeToolCalls(
  invocation: Invocation,
  turn: number,
  prepared: readonly PreparedCall[],
): Promise<readonly Message[]> {
  const calls = prepared.map((call, index) => ({
    prepared: call,
    turn,
    callKey: `${invocation.id}.turn-${turn}.call-${index + 1}`,
  }));
  const outcomes: CallOutcome[] = [];
  for (const batch of batchesOf(calls)) {
    outcomes.push(...(await Promise.all(batch.map((call) => runToolCall(invocation, call)))));
  }
  const results = await limitTurn(invocation, outcomes);
  return calls.map((call, index) => {
    const result = results[index] ?? outcomes[index]?.result;
    const outcome = outcomes[index];
    if (!result || !outcome) throw new TypeError('every call has an outcome');
    count(invocation, call, outcome, result);
    return { role: 'tool', tool_call_id: call.prepared.call.id, content: result.content };
  });
}

function batchesOf(calls: readonly TurnCall[]): readonly (readonly TurnCall[])[] {
  const batches: TurnCall[][] = [];
  let open: TurnCall[] | null = null;
  for (const call of calls) {
    const isParallel = mayRunBeside(call);
    if (open && isParallel) {
      open.push(call);
      continue;
    }
    const batch = [call];
    batches.push(batch);
    open = isParallel ? batch : null;
  }
  return batches;
}

/** A refused call runs nothing, so it holds nothing up. */
function mayRunBeside({ prepared: { plan } }: TurnCall): boolean {
  return plan.kind === 'refuse' || plan.tool.parallel;
}

const RECORDED_ARGUMENTS = 200;
const RECORDED_RESULT = 500;

function count(
  { tally }: Invocation,
  { prepared, turn }: TurnCall,
  { error }: CallOutcome,
  shown: ToolResult,
): void {
  const isOk = error === null && shown.status !== 'cancelled';
  tally.calls.attempted += 1;
  if (prepared.schemaValid) tally.calls.schemaValid += 1;
  if (isOk) tally.calls.ok += 1;
  else tally.calls.failed += 1;
  if (error === null) return;
  const toolResult = textOf(shown.content);
  tally.toolErrors.push({
    turn,
    toolName: prepared.call.name,
    rawArguments: firstCharacters(prepared.call.rawArguments, RECORDED_ARGUMENTS),
    error: error.message,
    toolResult: error.reported ? firstCharacters(toolResult, RECORDED_RESULT) : toolResult,
  });
}
