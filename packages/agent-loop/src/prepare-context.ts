import type { ErrorInfo, Message, SentContext } from '@hermes/protocol';
import { startCompaction } from './compaction.ts';
import type { ContextDecision, ContextInput, ContextPolicy } from './context-policy.ts';
import { noContextPolicy } from './context-policy.ts';
import { messageOf } from './error-info.ts';
import type { Invocation } from './invocation.ts';
import { modelCallContext } from './model-request.ts';

/** What the next call is sent; `overflow`: it would not fit again, so there is no sense in it. */
export type PreparedContext = Readonly<
  | { kind: 'send'; messages: readonly Message[]; sent: SentContext }
  | { kind: 'overflow'; error: ErrorInfo }
>;

/** Asks the context policy what of the history to send. */
export async function prepareContext(invocation: Invocation): Promise<PreparedContext> {
  const { log, options, tally } = invocation;
  const { overflow } = tally;
  const policy = options.context ?? noContextPolicy;
  const messages = log.history();
  const decision =
    policy === noContextPolicy ? null : await askPolicy(invocation, policy, messages);
  if (decision === null || decision.kind === 'unchanged') {
    if (overflow) return { kind: 'overflow', error: overflow };
    return { kind: 'send', messages, sent: { kind: 'history' } };
  }
  tally.contextRewrites += 1;
  if (decision.kind === 'view') {
    const view = decision.messages.slice();
    return { kind: 'send', messages: view, sent: { kind: 'view', messages: view } };
  }
  return { kind: 'send', messages: log.history(), sent: { kind: 'history' } };
}

/** A policy that fails leaves the history as it is. */
async function askPolicy(
  invocation: Invocation,
  policy: ContextPolicy,
  messages: readonly Message[],
): Promise<ContextDecision | null> {
  const { log, stop, tally } = invocation;
  const compaction = startCompaction(invocation, tally.lastUsage?.totalTokens ?? null);
  try {
    const input = inputOf(invocation, messages, compaction.emit);
    const decision = checkDecision(await stop.bound((async () => policy.prepare(input))()));
    if (decision.kind === 'replace') {
      compaction.complete(decision, () => log.replaceHistory(decision.messages));
    } else {
      compaction.withdraw();
    }
    return decision;
  } catch (error) {
    compaction.fail(policy.name, stop.reason() !== null);
    const details = { policy: policy.name, error: messageOf(error) };
    invocation.options.effects.logger.log('warn', 'A context policy failed.', details);
    return null;
  }
}

function checkDecision(decision: ContextDecision): ContextDecision {
  if (decision.kind === 'unchanged') return decision;
  const isKnown = decision.kind === 'view' || decision.kind === 'replace';
  if (isKnown && Array.isArray(decision.messages)) return decision;
  throw new TypeError('it decided nothing that there is');
}

function inputOf(
  invocation: Invocation,
  messages: readonly Message[],
  emit: ContextInput['emit'],
): ContextInput {
  const { options, schemas, tally } = invocation;
  return {
    messages,
    tools: schemas,
    contextTokens: options.model.capabilities.contextTokens,
    lastUsage: tally.lastUsage,
    overflow: tally.overflow,
    emit,
    call: modelCallContext(invocation, null, 'compaction'),
  };
}
