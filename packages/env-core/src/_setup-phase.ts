import type {
  JsonObject,
  Message,
  Tool,
  ToolCallContext,
  ToolResult,
  Toolset,
} from '@hermes/protocol';
import { type Sandbox, SandboxError } from '@hermes/sandbox';
import type { ToolContext, ToolLimits, ToolResources } from '@hermes/tools';
import { createToolContext, createToolResources } from '@hermes/tools';
import { erroredAs, RolloutFailure } from './_classify.ts';
import { DeadlineError, withDeadline } from './_deadline.ts';
import type { TryState } from './_try-state.ts';

const DEFAULT_SETUP_MS = 600_000;
const TASK_CHARS = 500;
const A_DAY_MS = 86_400_000;

/** Opens the tools of the rollout and lets the environment prepare the workspace, within the setup's deadline. */
export async function setUp(
  state: TryState<unknown>,
  sandbox: Sandbox | null,
  messages: readonly Message[],
): Promise<ToolResources> {
  const limitMs = state.limits.setupMs ?? DEFAULT_SETUP_MS;
  const resources = openResources(state, sandbox, messages);
  const { alarms } = state.context;
  try {
    await withDeadline(alarms, limitMs, state.scope.signal, async (signal) => {
      await openToolsets(state, resources, signal);
      const { environment } = state.context.options;
      const tools = openToolContext(state, sandbox, signal);
      await environment.setupWorkspace?.(state.trial.item, tools, signal);
    });
  } catch (error) {
    if (error instanceof DeadlineError && !state.scope.signal.aborted) throw setupTimeout(limitMs);
    throw error;
  }
  return resources;
}

/** Limits of the run's tools. A solution's commands are infrastructure: only the agent's deadline binds them. */
export function toolLimitsOf(state: TryState<unknown>): ToolLimits {
  const { model, toolLimits = {} } = state.context.options;
  if (!model.open.playsSolution) return toolLimits;
  return { ...toolLimits, commandTimeoutMs: A_DAY_MS, maxForegroundMs: Infinity };
}

/** The hands of setup and verifier. */
export function openToolContext(
  state: TryState<unknown>,
  sandbox: Sandbox | null,
  signal: AbortSignal,
): ToolContext {
  return createToolContext({
    sandbox,
    effects: state.context.effects,
    signal,
    callTool: (name, args) => callTool(state, name, args, signal),
  });
}

function openResources(
  state: TryState<unknown>,
  sandbox: Sandbox | null,
  messages: readonly Message[],
): ToolResources {
  return createToolResources({
    userTask: taskOf(messages),
    limits: toolLimitsOf(state),
    ...(sandbox === null ? {} : { capabilities: sandbox.capabilities }),
    sandbox: async () => {
      if (sandbox === null) throw noSandbox(state.trial.item.id);
      return sandbox;
    },
  });
}

async function openToolsets(
  state: TryState<unknown>,
  resources: ToolResources,
  signal: AbortSignal,
): Promise<void> {
  const toolsets = toolsetsOf(state);
  state.toolsetNames = toolsets.map((toolset) => toolset.name);
  for (const toolset of toolsets) {
    const opened = await openToolset(state, toolset, resources);
    if (signal.aborted)
      await opened.close?.(); // given up meanwhile: nobody else knows of it
    else state.toolsets.push(opened);
  }
}

async function openToolset(
  state: TryState<unknown>,
  toolset: Toolset<ToolResources>,
  resources: ToolResources,
): ReturnType<Toolset<ToolResources>['open']> {
  const available = await state.context.isAvailable(toolset);
  if (!available.ok) throw new Error(`The toolset ${toolset.name}: ${available.message}`);
  if (state.model === null) throw new Error('The model was not opened');
  const { rolloutId, scope, context } = state;
  const { capabilities: model } = state.model;
  const { effects } = context;
  return toolset.open(resources, { rolloutId, effects, signal: scope.signal, model });
}

function toolsetsOf(state: TryState<unknown>): readonly Toolset<ToolResources>[] {
  const { options } = state.context;
  const index = state.trial.itemIndex;
  const random = state.context.random.fork(`toolsets/${index}`);
  return options.toolsets?.({ index, random }) ?? options.environment.toolsets;
}

async function callTool(
  state: TryState<unknown>,
  name: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  const tools = toolsOf(state);
  const tool = tools.find((candidate) => candidate.schema.function.name === name);
  if (tool === undefined) return unknownTool(name, tools);
  return tool.execute(args, callContext(state, signal));
}

/** All tools that are open in this rollout. */
export function toolsOf(state: TryState<unknown>): readonly Tool[] {
  return state.toolsets.flatMap((toolset) => toolset.tools);
}

function callContext(state: TryState<unknown>, signal: AbortSignal): ToolCallContext {
  const { effects } = state.context;
  const toolCallId = effects.newId('call');
  return {
    rolloutId: state.rolloutId,
    invocationId: 'root',
    turn: 0,
    signal,
    effects,
    toolCallId,
    callKey: toolCallId,
    emit: state.emit,
  };
}

function unknownTool(name: string, tools: readonly Tool[]): ToolResult {
  const names = tools.map((tool) => tool.schema.function.name).sort();
  const message = `Unknown tool '${name}'. Available tools: [${names.join(', ')}]`;
  const error = { boundary: 'tool', code: 'UNKNOWN_TOOL', message, retryable: false } as const;
  return { status: 'failed', content: message, error };
}

function taskOf(messages: readonly Message[]): string | null {
  const task = messages.find((message) => message.role === 'user')?.content;
  return typeof task === 'string' ? task.slice(0, TASK_CHARS) : null;
}

function noSandbox(itemId: string): SandboxError {
  return new SandboxError('UNSUPPORTED', 'request', `The item ${itemId} runs without a sandbox`);
}

function setupTimeout(limitMs: number): RolloutFailure {
  return new RolloutFailure(
    erroredAs('environment', 'setup_failed', `The workspace was not ready within ${limitMs} ms`),
  );
}
