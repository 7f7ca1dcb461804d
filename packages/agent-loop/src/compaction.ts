import type { EmitEvent } from '@hermes/protocol';
import type { ContextDecision } from './context-policy.ts';
import { countInnerCalls } from './count-inner-calls.ts';
import type { Invocation } from './invocation.ts';

/** The events around one question to a context policy: a start always has its end. */
export interface Compaction {
  /** For the policy. It may tell the start itself, before a slow call. */
  readonly emit: EmitEvent;
  /** `rewrite` makes the new history and returns its log indexes. */
  complete(
    decision: Extract<ContextDecision, { readonly kind: 'replace' }>,
    rewrite: () => readonly number[],
  ): void;
  /** `trigger` is used when the policy told no start. */
  fail(trigger: string, stopped: boolean): void;
  /** The policy decided to leave the history alone. */
  withdraw(): void;
}

/** Nothing is told unless something happens. */
export function startCompaction(invocation: Invocation, tokensBefore: number | null): Compaction {
  const { emit, id: invocationId, options } = invocation;
  const callIds: string[] = [];
  let compactionId: string | null = null;
  let isOpen = true;
  const forward = countInnerCalls(
    invocation,
    () => isOpen,
    (callId) => callIds.push(callId),
  );

  function start(trigger: string): string {
    if (compactionId !== null) return compactionId;
    compactionId = options.effects.newId('compaction');
    const beforeCallId = null;
    const type = 'compaction_start';
    emit({ type, invocationId, compactionId, trigger, tokensBefore, beforeCallId });
    return compactionId;
  }

  function end(id: string, outcome: 'failed' | 'aborted'): void {
    const nothing = { tokensAfter: null, summary: null, firstKept: null, history: [] };
    emit({ type: 'compaction_end', compactionId: id, outcome, ...nothing, callIds });
  }

  return {
    emit(body) {
      if (body.type === 'compaction_start' && isOpen) compactionId = body.compactionId;
      forward(body);
    },
    complete({ trigger, summary, firstKept }, rewrite) {
      isOpen = false;
      const id = start(trigger);
      const history = rewrite();
      const told = { summary, firstKept, history, tokensAfter: null, callIds };
      emit({ type: 'compaction_end', compactionId: id, outcome: 'completed', ...told });
    },
    fail(trigger, stopped) {
      isOpen = false;
      end(start(trigger), stopped ? 'aborted' : 'failed');
    },
    withdraw() {
      isOpen = false;
      if (compactionId !== null) end(compactionId, 'failed');
    },
  };
}
