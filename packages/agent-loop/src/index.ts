export type {
  AgentLoopOptions,
  AssistantParts,
  AgentLimits,
  ContextPolicy,
  ContextInput,
  ContextDecision,
  SubagentPolicy,
} from './types.ts';
