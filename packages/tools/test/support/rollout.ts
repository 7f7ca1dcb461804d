import type {
  Effects,
  JsonObject,
  OpenToolset,
  ToolCallContext,
  ToolResult,
  Toolset,
} from '@hermes/protocol';
import { testEffects } from '@hermes/protocol/testing';
import type { Sandbox } from '@hermes/sandbox';
import { createMemorySandboxProvider, type MemoryProviderOptions } from '@hermes/sandbox';
import type { ToolResources } from '../../src/index.ts';
import { createToolResources } from '../../src/index.ts';

/** A sandbox in memory, with scripted commands. */
export async function memorySandbox(
  commands: NonNullable<MemoryProviderOptions['commands']> = {},
): Promise<Sandbox> {
  const provider = createMemorySandboxProvider({ commands });
  return await provider.create({ lifetimeMs: 3_600_000, labels: {}, idempotencyKey: 'test' });
}

/** The resources of a rollout that has this sandbox. */
export function resourcesOf(
  sandbox: Sandbox,
  more: Partial<Omit<ToolResources, 'sandbox' | 'shell'>> = {},
): ToolResources {
  return createToolResources({ userTask: null, ...more, sandbox: async () => sandbox });
}

/** What the loop gives a tool with a call. */
export function callContext(more: Partial<ToolCallContext> = {}): ToolCallContext {
  return {
    rolloutId: 'rollout_1',
    invocationId: 'invocation_1',
    turn: 1,
    signal: new AbortController().signal,
    effects: testEffects(),
    toolCallId: 'call_1',
    callKey: 'turn1_call0',
    emit: () => undefined,
    ...more,
  };
}

/** An opened toolset, called as the loop calls it; answers are the parsed documents. */
export type TestTools = Readonly<{
  open: OpenToolset;
  call: (name: string, args: JsonObject, more?: Partial<ToolCallContext>) => Promise<Answer>;
}>;
export type Answer = Readonly<{ result: ToolResult; document: JsonObject }>;

/** Opens toolsets over the same resources. */
export async function openTools(
  resources: ToolResources,
  toolsets: readonly Toolset<ToolResources>[],
  effects: Effects = testEffects(),
): Promise<TestTools> {
  const signal = new AbortController().signal;
  const model = {
    tokenIds: false,
    images: false,
    toolChoice: true,
    streaming: true,
    contextTokens: null,
  };
  const context = { rolloutId: 'rollout_1', effects, signal, model };
  const opened = await Promise.all(toolsets.map((toolset) => toolset.open(resources, context)));
  const tools = opened.flatMap((open) => open.tools);
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((open) => open.close?.()));
  };
  return {
    open: { tools, close },
    async call(name, args, more = {}) {
      const tool = tools.find((candidate) => candidate.schema.function.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const result = await tool.execute(args, callContext({ effects, ...more }));
      return { result, document: JSON.parse(String(result.content)) };
    },
  };
}
