import type { ChatModel, SubagentResult, SubagentTask, Tool } from '@hermes/protocol';
import { smallest } from './budgets.ts';
import type { Invocation } from './invocation.ts';
import { onAbort } from './on-abort.ts';
import type { AgentLimits, AgentLoopOptions } from './options.ts';

/**
 * What subagents may do. Children have budgets of their own; their tokens and their cost also count
 * against the parent.
 */
export type SubagentPolicy = Readonly<{
  /** How many levels of children there may be below the root. Default 2. */
  maxDepth?: number;
  /** How many children of one agent may run at once; the others wait. Default 3. */
  maxParallel?: number;
  /** Of each child; a task may ask for fewer turns, never for more. */
  limits?: AgentLimits;
  /** Default: the parent's. */
  model?: ChatModel;
  /** The tools of a child; of these only those the task names, where it names some. */
  tools: (task: SubagentTask, parentTools: readonly Tool[]) => readonly Tool[];
}>;

/** The right of one tool call to start children; they end with it. */
export type Delegation = Readonly<{
  delegate: (task: SubagentTask) => Promise<SubagentResult>;
  /** Stops the children that the tool did not wait for. */
  close(): Promise<void>;
}>;

/** null = not allowed here. */
export function createDelegation(invocation: Invocation, toolCallId: string): Delegation | null {
  const { subagents: policy } = invocation.options;
  if (!policy || invocation.depth >= (policy.maxDepth ?? 2)) return null;
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  const unlink = onAbort(invocation.stop.signal, () => ended.abort());

  const delegate = (task: SubagentTask): Promise<SubagentResult> => {
    const child = runChild(invocation, policy, task, toolCallId, ended.signal);
    const settled = child.catch(() => null).finally(() => running.delete(settled));
    running.add(settled);
    return child;
  };

  return {
    delegate,
    async close() {
      unlink();
      ended.abort();
      await Promise.all(running);
    },
  };
}

async function runChild(
  parent: Invocation,
  policy: SubagentPolicy,
  task: SubagentTask,
  toolCallId: string,
  signal: AbortSignal,
): Promise<SubagentResult> {
  const place = parent.tally.children.push(null);
  const invocationId = `${parent.id}.child-${place}`;
  const { clock } = parent.options.effects;
  const work = async () => {
    const options = childOptions(parent, policy, task, invocationId, signal);
    const startedMs = clock.now().monoMs;
    const { run } = parent.setup;
    const result = await run({ options, parent: { invocation: parent, toolCallId }, run });
    return { invocationId, result, durationMs: clock.now().monoMs - startedMs };
  };
  const ended = await parent.childGate.run(work, signal);
  parent.tally.children[place - 1] = {
    invocationId,
    parentInvocationId: parent.id,
    spawnedByToolCallId: toolCallId,
    result: ended.result,
  };
  return ended;
}

function childOptions(
  { options }: Invocation,
  policy: SubagentPolicy,
  task: SubagentTask,
  invocationId: string,
  signal: AbortSignal,
): AgentLoopOptions {
  const maxTurns = smallest(task.maxTurns ?? null, policy.limits?.maxTurns ?? null);
  return {
    ...options,
    messages: task.messages,
    model: policy.model ?? options.model,
    tools: childTools(policy, task, options.tools),
    identity: { ...options.identity, invocationId },
    limits: { ...policy.limits, ...(maxTurns !== null && { maxTurns }) },
    signal,
  };
}

function childTools(
  policy: SubagentPolicy,
  task: SubagentTask,
  parentTools: readonly Tool[],
): readonly Tool[] {
  const tools = policy.tools(task, parentTools);
  const { toolNames } = task;
  return toolNames ? tools.filter((tool) => toolNames.includes(tool.schema.function.name)) : tools;
}
