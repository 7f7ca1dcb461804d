export type { AgentResult, StopReason, ToolErrorRecord } from './agent-result.ts';
export type { Clock, Effects, IdMaker, Instant, Limiter, Logger, Random } from './effects.ts';
export type { Boundary, ErrorInfo, HermesErrorOptions, ModelErrorCode } from './errors.ts';
export { HermesError, ModelError } from './errors.ts';
export type { EmitEvent, Phase, RolloutEvent, RolloutEventBody, SentContext } from './events.ts';
export type { JsonObject, JsonSchema, JsonValue } from './json.ts';
export type {
  AssistantMessage,
  ContentPart,
  ImagePart,
  Message,
  SystemMessage,
  TextPart,
  ToolCall,
  ToolMessage,
  ToolSchema,
  UserMessage,
} from './messages.ts';
export type {
  CallTokens,
  ChatDelta,
  ChatEvent,
  ChatModel,
  ChatRequest,
  ChatResult,
  FinishReason,
  ModelAttempt,
  ModelCallContext,
  ModelCapabilities,
  ModelNote,
  Sampling,
  Usage,
} from './model.ts';
export type {
  CompletedRollout,
  Errored,
  ErroredCauses,
  ErroredReason,
  ErroredRollout,
  Reward,
  RolloutBase,
  RolloutRecord,
  RolloutTimings,
  RolloutTry,
  Seeds,
  TrialIdentity,
} from './rollout.ts';
export type { Gap, ResourceUsage, SandboxExitReason, SandboxReport } from './sandbox-report.ts';
export type {
  EngineCapabilities,
  GenerateRequest,
  PositionScore,
  RenderedPrompt,
  RenderRequest,
  SegmentReason,
  TokenEngine,
  TokenEvent,
  TokenFinish,
  Tokenizer,
  TokenOutput,
  TokenSegment,
  TokenSpan,
} from './tokens.ts';
export type {
  OpenToolset,
  ResultBudget,
  SubagentResult,
  SubagentTask,
  Tool,
  ToolCallContext,
  ToolResult,
  Toolset,
} from './tools.ts';
export type {
  EnvironmentRegistration,
  MetricSink,
  RegisterResult,
  ScoredGroup,
  ScoredSequence,
  SendResult,
  TrainerRegistration,
  TrainerSink,
  TrainerStatus,
  TrajectoryApi,
} from './trainer.ts';
