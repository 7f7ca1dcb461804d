import type { StopReason } from './agent-result.ts';
import type { Instant } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { Message, ToolSchema } from './messages.ts';
import type { ChatDelta, ChatResult, ModelAttempt, ModelCallContext, Sampling } from './model.ts';
import type { Errored, Reward, RolloutRecord, Seeds, TrialIdentity } from './rollout.ts';
import type { SandboxReport } from './sandbox-report.ts';
import type { ToolResult } from './tools.ts';

/** The parts of a rollout that follow each other. */
export type Phase = 'queue' | 'sandbox' | 'setup' | 'agent' | 'verify' | 'dispose';

/** What a model call was sent. `history`: the current history as it stands. `view`: a copy; the history itself stays. */
export type SentContext = Readonly<
  { kind: 'history' } | { kind: 'view'; messages: readonly Message[] }
>;

/**
 * What happened, without its stamp. Display, records, observations, metrics and replay are
 * projections of this one log. Who is given an event must not change it.
 */
export type RolloutEventBody = Readonly<
  | {
      type: 'rollout_start';
      runId: string;
      trialKey: string;
      identity: TrialIdentity;
      /** 1-based. */
      try: number;
      groupId: string | null;
      seeds: Seeds;
      versions: Readonly<Record<string, string>>;
    }
  | { type: 'phase_start'; phase: Phase }
  | { type: 'phase_end'; phase: Phase }
  | {
      type: 'invocation_start';
      invocationId: string;
      /** null = the root. */
      parentInvocationId: string | null;
      spawnedByToolCallId: string | null;
      modelId: string;
      tools: readonly ToolSchema[];
    }
  | {
      type: 'message_append';
      invocationId: string;
      /** Position in the invocation's log; grows by 1, is never reused. */
      index: number;
      message: Message;
    }
  | { type: 'turn_start'; invocationId: string; turn: number; sent: SentContext }
  | {
      type: 'model_call_start';
      callId: string;
      invocationId: string;
      /** null = the call belongs to no turn. */
      turn: number | null;
      purpose: ModelCallContext['purpose'];
      modelId: string;
      sampling: Sampling;
    }
  | { type: 'model_attempt_start'; callId: string; attemptId: string; number: number }
  /** For display; stored only on request. */
  | { type: 'model_delta'; callId: string; delta: ChatDelta }
  | { type: 'model_attempt_end'; callId: string; attempt: ModelAttempt }
  /** Exactly one of `result` and `error` is set. */
  | {
      type: 'model_call_end';
      callId: string;
      result: Omit<ChatResult, 'raw'> | null;
      error: ErrorInfo | null;
    }
  | {
      type: 'tool_start';
      invocationId: string;
      turn: number;
      /** The model's id; may repeat. */
      toolCallId: string;
      /** Unique in the rollout. */
      callKey: string;
      toolName: string;
      rawArguments: string;
      /** null = the tool uses no sandbox, or the loop does not know it. */
      sandboxId: string | null;
    }
  | { type: 'tool_delta'; callKey: string; text: string }
  /** Emitted inside the call's own worker, so parallel calls end in the order they end. */
  | {
      type: 'tool_end';
      callKey: string;
      result: ToolResult;
      durationMs: number;
      /** Why the loop did not run the tool; null = nothing was wrong with the call. */
      refused: 'unknown_tool' | 'bad_arguments' | null;
    }
  | {
      type: 'turn_end';
      invocationId: string;
      turn: number;
      /** Tool calls so far in the invocation, this turn's included. */
      stepCount: number;
    }
  | {
      type: 'compaction_start';
      invocationId: string;
      compactionId: string;
      trigger: string;
      /** null = not known. */
      tokensBefore: number | null;
      /** The model call it makes room for; null = that call has no id yet. */
      beforeCallId: string | null;
    }
  | {
      type: 'compaction_end';
      compactionId: string;
      outcome: 'completed' | 'failed' | 'aborted';
      tokensAfter: number | null;
      summary: string | null;
      /** Index into the history before it; null = nothing of it was kept as a tail. */
      firstKept: number | null;
      /** The log indexes that now are the history. */
      history: readonly number[];
      /** The model calls that made it. */
      callIds: readonly string[];
    }
  /** The root's end ends the agent phase; any other is a subagent's end. */
  | {
      type: 'invocation_end';
      invocationId: string;
      stopReason: StopReason;
      error: ErrorInfo | null;
    }
  | { type: 'sandbox_start'; role: SandboxReport['role']; sandboxKey: string; provider: string }
  | {
      type: 'sandbox_delta';
      sandboxKey: string;
      phase: string;
      message: string | null;
      current: number | null;
      total: number | null;
    }
  | {
      type: 'sandbox_end';
      sandboxKey: string;
      report: SandboxReport | null;
      /** Set = it never started. */
      error: ErrorInfo | null;
    }
  | { type: 'verifier_start' }
  | { type: 'verifier_delta'; text: string }
  | { type: 'verifier_end'; reward: Reward | null; errored: Errored | null }
  | { type: 'gap'; code: string; invocationId: string | null; detail: string | null }
  | {
      type: 'rollout_end';
      status: RolloutRecord['status'];
      reward: Reward | null;
      errored: Errored | null;
    }
>;

/**
 * A stamped event. `seq` is 0, 1, 2, ... without holes in one rollout. A reader refuses a `v` it
 * does not know and skips a `type` it does not know (with a gap).
 */
export type RolloutEvent = Readonly<{ v: 1; seq: number; rolloutId: string; at: Instant }> &
  RolloutEventBody;

/**
 * Stamps `seq` and both clocks at the moment of the call, synchronously. Never throws: a failing
 * consumer is counted and reported, the rollout goes on.
 */
export type EmitEvent = (body: RolloutEventBody) => void;
