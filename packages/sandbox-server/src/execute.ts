import { z } from 'zod';
import { messageOf } from './_message-of.ts';
import { type Answer, ok } from './http/answer.ts';
import { Refusal } from './http/refusal.ts';
import type { RouteContext } from './routes.ts';
import { failed, type ToolAnswer } from './tools/tool.ts';
import { tools } from './tools/tools.ts';

const DEFAULT_TIMEOUT_S = 30;
/** A day. */
const MOST_S = 86_400;

/** Body of `POST /execute`, and one of `POST /batch`. timeout: seconds. */
export type ExecuteRequest = Readonly<{
  slot_id: string;
  tool: string;
  args: Readonly<Record<string, unknown>>;
  execution_id?: string | undefined;
  timeout: number;
}>;

export const executeRequest: z.ZodType<ExecuteRequest> = z.object({
  slot_id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()).default({}),
  execution_id: z.string().min(1).optional(),
  timeout: z.number().positive().max(MOST_S).default(DEFAULT_TIMEOUT_S),
});

/** Runs one tool in a slot. The same execution id again runs nothing and gives the first answer. */
export async function execute(context: RouteContext, request: ExecuteRequest): Promise<Answer> {
  const slot = context.table.find(request.slot_id);
  const id = request.execution_id ?? context.newId('execution');
  const answer = await slot.executions.once(id, () => runTool(context, request, id));
  return ok({ ...answer, execution_id: id });
}

/** All at once, those of one slot one after another. One that fails is an answer like the others. */
export async function executeBatch(
  context: RouteContext,
  requests: readonly ExecuteRequest[],
): Promise<Answer> {
  const answers = requests.map((request) =>
    execute(context, request).then(
      ({ body }) => body,
      (error) => ({ ...failed(messageOf(error)), execution_id: request.execution_id ?? '' }),
    ),
  );
  return ok(await Promise.all(answers));
}

async function runTool(
  { table, limits }: RouteContext,
  { slot_id: slotId, tool: name, args, timeout }: ExecuteRequest,
  executionId: string,
): Promise<ToolAnswer> {
  const tool = tools.get(name);
  if (tool === undefined)
    return failed(`there is no tool ${name}; there is: ${[...tools.keys()].join(', ')}`);
  const prepared = tool(args, table.capabilities);
  if (!('run' in prepared)) return prepared;
  const { allowNetwork, run } = prepared;
  const timeoutMs = timeout * 1000;
  const work = table.find(slotId).run({
    executionId,
    allowNetwork,
    run: (lease, signal) => run({ lease, limits, timeoutMs, signal }),
  });
  return work.catch(answerOfRefusal);
}

/** What the slot refuses is the answer of this execution, so that a batch and a single call say the same. */
function answerOfRefusal(error: unknown): ToolAnswer {
  if (error instanceof Refusal) return failed(error.message);
  throw error;
}
