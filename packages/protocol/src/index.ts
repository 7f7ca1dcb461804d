export type { JsonValue, JsonObject, JsonSchema } from './json.ts';
export type { Instant, Clock, IdMaker, Random, Logger, Effects, Limiter } from './effects.ts';
export { HermesError, ModelError } from './errors.ts';
export type { Boundary, ErrorInfo, HermesErrorOptions, ModelErrorCode } from './errors.ts';
export type {
  TextPart,
  ImagePart,
  ContentPart,
  ToolCall,
  SystemMessage,
  UserMessage,
  AssistantMessage,
  ToolMessage,
  Message,
  ToolSchema,
} from './messages.ts';
export type {
  Usage,
  Sampling,
  ChatRequest,
  ModelCallContext,
  ModelAttempt,
  ChatDelta,
  ChatEvent,
  FinishReason,
  CallTokens,
  ChatResult,
  ModelNote,
  ModelCapabilities,
  ChatModel,
} from './model.ts';
export type {
  SegmentReason,
  TokenSegment,
  GenerateRequest,
  TokenFinish,
  TokenOutput,
  TokenEvent,
  EngineCapabilities,
  TokenEngine,
  PositionScore,
  Tokenizer,
  RenderRequest,
  RenderedPrompt,
  TokenSpan,
} from './tokens.ts';
export type {
  ToolResult,
  Tool,
  ToolCallContext,
  SubagentTask,
  SubagentResult,
  Toolset,
  OpenToolset,
  ResultBudget,
} from './tools.ts';
export type { StopReason, ToolErrorRecord, AgentResult } from './agent-result.ts';
export type {
  TrialIdentity,
  Seeds,
  ErroredCauses,
  ErroredReason,
  Errored,
  Reward,
  RolloutBase,
  RolloutTimings,
  RolloutTry,
  CompletedRollout,
  ErroredRollout,
  RolloutRecord,
} from './rollout.ts';
export type { SandboxExitReason, ResourceUsage, Gap, SandboxReport } from './sandbox-report.ts';
export type { Phase, SentContext, RolloutEventBody, RolloutEvent, EmitEvent } from './events.ts';
export type {
  ScoredSequence,
  ScoredGroup,
  EnvironmentRegistration,
  RegisterResult,
  TrainerStatus,
  SendResult,
  TrainerSink,
  TrajectoryApi,
  TrainerRegistration,
  MetricSink,
} from './trainer.ts';
