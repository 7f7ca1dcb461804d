import type { CompletedRollout } from '@hermes/protocol';

/** A rollout whose model never answered, for example because the prompt left it no room. It has no tokens, whatever the model gives. */
export function hasSampledNothing({ agent, segments }: CompletedRollout): boolean {
  if (segments.length > 0) return false;
  if (agent === null) return true;
  return agent.toolCalls.attempted === 0 && agent.messages.at(-1)?.role !== 'assistant';
}
