import type { AgentResult, JsonObject, Tool, ToolCallContext, ToolResult } from '@hermes/protocol';
import {
  collectEvents,
  type EventCollector,
  type Script,
  type ScriptedModel,
  scriptedModel,
  type TestEffects,
  testEffects,
} from '@hermes/protocol/testing';
import { type AgentLoopOptions, runAgentLoop } from '../../src/index.ts';

/** A run against a script, with all that can be looked at. */
export type Play = Readonly<{
  model: ScriptedModel;
  events: EventCollector;
  effects: TestEffects;
  ended: Promise<AgentResult>;
}>;

/** Starts a loop with a scripted model and controlled effects. */
export function start(script: Script, options: Partial<AgentLoopOptions> = {}): Play {
  const effects = testEffects();
  const events = collectEvents();
  const model = scriptedModel(script, { clock: effects.clock });
  const ended = runAgentLoop({
    messages: [{ role: 'user', content: 'Begin.' }],
    model,
    tools: [echo],
    sampling: {},
    identity: { rolloutId: 'rollout-1' },
    effects,
    emit: events.emit,
    ...options,
  });
  return { model, events, effects, ended };
}

/** Plays a loop to its end. */
export async function play(
  script: Script,
  options: Partial<AgentLoopOptions> = {},
): Promise<Play & Readonly<{ result: AgentResult }>> {
  const running = start(script, options);
  return { ...running, result: await running.ended };
}

type Behaviour = (
  args: JsonObject,
  context: ToolCallContext,
) => Promise<ToolResult | string> | ToolResult | string;

/** A tool by its behaviour; a text is a completed result. */
export function tool(
  name: string,
  behave: Behaviour,
  options: Readonly<{ parallel?: boolean; parameters?: JsonObject }> = {},
): Tool {
  const { parallel = false, parameters = { type: 'object' } } = options;
  return {
    schema: { type: 'function', function: { name, parameters } },
    parallel,
    async execute(args, context) {
      const result = await behave(args, context);
      return typeof result === 'string' ? { status: 'completed', content: result } : result;
    },
  };
}

/** Answers with its own arguments. */
export const echo: Tool = tool('echo', (args) => JSON.stringify(args));

/** A turn that calls `echo`. */
export const callEcho: Readonly<{ calls: readonly [{ name: string; arguments: JsonObject }] }> = {
  calls: [{ name: 'echo', arguments: { text: 'hi' } }],
};

/** What each message is, at a glance. */
export function roles(result: AgentResult): readonly string[] {
  return result.messages.map((message) => message.role);
}

/** The contents of the tool messages. */
export function toolContents(result: AgentResult): readonly unknown[] {
  return result.messages.filter((message) => message.role === 'tool').map(({ content }) => content);
}
