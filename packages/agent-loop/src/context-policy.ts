import type {
  EmitEvent,
  ErrorInfo,
  Message,
  ModelCallContext,
  ToolSchema,
  Usage,
} from '@hermes/protocol';

/** Decides what of the history a model is sent. Asked before each model call. */
export interface ContextPolicy {
  readonly name: string;
  /** A throw is a failed compaction: the history is sent as it stands. */
  prepare(input: ContextInput): Promise<ContextDecision>;
}

/** What a policy decides by. */
export type ContextInput = Readonly<{
  /** The current history. */
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  /** Size of the model's window; null = not known. */
  contextTokens: number | null;
  /** Of the last call; null = there was none. */
  lastUsage: Usage | null;
  /** Set when the last call did not fit (`CONTEXT_OVERFLOW`): one more chance. */
  overflow: ErrorInfo | null;
  /** For model calls that the policy makes. */
  call: ModelCallContext;
  /**
   * For the events of those calls. A policy that compacts slowly may emit its own
   * `compaction_start`; the loop emits the matching end, and both where it does not.
   */
  emit: EmitEvent;
}>;

/**
 * What a policy decided. `unchanged`: the history as it is. `view`: a copy, sent this time.
 * `replace`: the history itself; its messages that were in the old history must be the same objects.
 */
export type ContextDecision = Readonly<
  | { kind: 'unchanged' }
  | { kind: 'view'; messages: readonly Message[] }
  | {
      kind: 'replace';
      messages: readonly Message[];
      trigger: string;
      /** null = nothing was summarised. */
      summary: string | null;
      /** Index into the old history of the first message kept; null = none was. */
      firstKept: number | null;
    }
>;

/** The policy `none`: the history as it stands. */
export const noContextPolicy: ContextPolicy = {
  name: 'none',
  prepare: async () => ({ kind: 'unchanged' }),
};
