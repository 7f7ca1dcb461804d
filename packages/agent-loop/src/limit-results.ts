import type { Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import { checkToolResult, isToolResult } from './check-tool-result.ts';
import { messageOf } from './error-info.ts';
import type { Invocation } from './invocation.ts';

/** The budget promises not to throw; a result must not be lost if it does. */
export async function limitResult(
  { options, stop }: Invocation,
  result: ToolResult,
  tool: Tool | null,
  context: ToolCallContext,
): Promise<ToolResult> {
  if (!options.resultBudget) return result;
  try {
    const limited = await stop.bound(options.resultBudget.limitResult(result, tool, context));
    return checkToolResult(limited);
  } catch (error) {
    const message = 'A tool result could not be limited; it is passed on whole.';
    options.effects.logger.log('error', message, { error: messageOf(error) });
    return result;
  }
}

/** The budget promises not to throw; the results must not be lost if it does. */
export async function limitTurn(
  { options, stop }: Invocation,
  outcomes: readonly Readonly<{ callKey: string; result: ToolResult }>[],
): Promise<readonly ToolResult[]> {
  const results = outcomes.map(({ result }) => result);
  if (!options.resultBudget) return results;
  try {
    const limited = await stop.bound(options.resultBudget.limitTurn(outcomes, stop.signal));
    const isWhole = limited.length === results.length && limited.every(isToolResult);
    return isWhole ? limited : results;
  } catch (error) {
    const message = 'The results of a turn could not be limited; they are passed on whole.';
    options.effects.logger.log('error', message, { error: messageOf(error) });
    return results;
  }
}
