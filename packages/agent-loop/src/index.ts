// The loop, and the maker of the event stream it writes to.

export type { ContextDecision, ContextInput, ContextPolicy } from './context-policy.ts';
// What of a long history a model is sent.
export { noContextPolicy } from './context-policy.ts';
export { createEmitter } from './events.ts';
// For models and runners: reading a server's reasoning, and sums in which unknown stays unknown.
export { extractReasoning } from './extract-reasoning.ts';
export type { MiddleOutOptions } from './middle-out.ts';
export { middleOut } from './middle-out.ts';
// For whoever waits on a signal that a whole run shares.
export { onAbort } from './on-abort.ts';
export type { AgentLimits, AgentLoopOptions, AssistantParts } from './options.ts';
export { runAgentLoop } from './run-agent-loop.ts';
export type { SubagentPolicy } from './subagents.ts';
export { addUsage, unknownUsage, zeroUsage } from './usage.ts';
