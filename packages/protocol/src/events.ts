import type { StopReason } from './agent-result.ts';
import type { Instant } from './effects.ts';
import type { ErrorInfo } from './errors.ts';
import type { Message, ToolSchema } from './messages.ts';
import type { ChatDelta, ChatResult, ModelAttempt, ModelCallContext, Sampling } from './model.ts';
import type { Errored, Reward, RolloutRecord, Seeds, TrialIdentity } from './rollout.ts';
import type { SandboxReport } from './sandbox-report.ts';
import type { ToolResult } from './tools.ts';

export type Phase = 'queue' | 'sandbox' | 'setup' | 'agent' | 'verify' | 'dispose';
/** history: the current history as it stands. view: a copy was sent, the history itself stays. */
export type SentContext = Readonly<
  { kind: 'history' } | { kind: 'view'; messages: readonly Message[] }
>;
export type RolloutEventBody = Readonly<
  | {
      type: 'rollout_start';
      runId: string;
      trialKey: string;
      identity: TrialIdentity;
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
      parentInvocationId: string | null;
      spawnedByToolCallId: string | null;
      modelId: string;
      tools: readonly ToolSchema[];
    }
  | { type: 'message_append'; invocationId: string; index: number; message: Message } // index: position in the invocation's log; grows by 1, is never reused
  | { type: 'turn_start'; invocationId: string; turn: number; sent: SentContext }
  | {
      type: 'model_call_start';
      callId: string;
      invocationId: string;
      turn: number | null;
      purpose: ModelCallContext['purpose'];
      modelId: string;
      sampling: Sampling;
    }
  | { type: 'model_attempt_start'; callId: string; attemptId: string; number: number }
  | { type: 'model_delta'; callId: string; delta: ChatDelta } // for display; stored only on request
  | { type: 'model_attempt_end'; callId: string; attempt: ModelAttempt }
  | {
      type: 'model_call_end';
      callId: string;
      result: Omit<ChatResult, 'raw'> | null;
      error: ErrorInfo | null;
    } // exactly one of the two
  | {
      type: 'tool_start';
      invocationId: string;
      turn: number;
      toolCallId: string;
      callKey: string;
      toolName: string;
      rawArguments: string;
      sandboxId: string | null;
    }
  | { type: 'tool_delta'; callKey: string; text: string }
  | {
      type: 'tool_end';
      callKey: string;
      result: ToolResult;
      durationMs: number;
      refused: 'unknown_tool' | 'bad_arguments' | null;
    } // emitted inside the call's own worker
  | { type: 'turn_end'; invocationId: string; turn: number; stepCount: number } // stepCount: tools run so far in the invocation, this turn's included
  | {
      type: 'compaction_start';
      invocationId: string;
      compactionId: string;
      trigger: string;
      tokensBefore: number | null;
      beforeCallId: string | null;
    }
  | {
      type: 'compaction_end';
      compactionId: string;
      outcome: 'completed' | 'failed' | 'aborted';
      tokensAfter: number | null;
      summary: string | null;
      firstKept: number | null;
      history: readonly number[];
      callIds: readonly string[];
    } // history: the log indexes that now are the history
  | {
      type: 'invocation_end';
      invocationId: string;
      stopReason: StopReason;
      error: ErrorInfo | null;
    } // root ends the agent phase; any other is a subagent's end
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
      error: ErrorInfo | null;
    } // error: it never started
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
/** seq: 0, 1, 2, ... without holes in one rollout. A reader refuses a `v` it does not know and skips a `type` it does not know (with a gap). */
export type RolloutEvent = Readonly<{ v: 1; seq: number; rolloutId: string; at: Instant }> &
  RolloutEventBody;
/** Stamps seq and both clocks at the moment of the call, synchronously. Never throws: a failing consumer is counted and reported, the rollout goes on. */
export type EmitEvent = (body: RolloutEventBody) => void;
