import type { RolloutEvent, ToolSchema } from '@hermes/protocol';
import type { RunDirectory } from './run-directory.ts';
import type { RolloutSink } from './run-events.ts';

/** Remembers which tools the model of a rollout was offered: records do not say it, and a training line needs it. */
export type OfferedTools = Readonly<{
  sink: RolloutSink;
  /** From memory, else from the events on disk; [] where neither knows. */
  of: (rolloutId: string) => Promise<readonly ToolSchema[]>;
  forget: (rolloutIds: readonly string[]) => void;
}>;

/** Listens to the rollouts of one run. */
export function rememberTools(directory: RunDirectory | undefined): OfferedTools {
  const offered = new Map<string, readonly ToolSchema[]>();
  return {
    sink: {
      event: (event) => {
        if (isRootStart(event)) offered.set(event.rolloutId, event.tools);
        if (event.type === 'rollout_end' && event.status === 'errored')
          offered.delete(event.rolloutId);
      },
    },
    of: async (rolloutId) => offered.get(rolloutId) ?? (await fromDisk(directory, rolloutId)),
    forget: (rolloutIds) => {
      for (const rolloutId of rolloutIds) offered.delete(rolloutId);
    },
  };
}

async function fromDisk(
  directory: RunDirectory | undefined,
  rolloutId: string,
): Promise<readonly ToolSchema[]> {
  if (directory === undefined) return [];
  for await (const event of directory.events(rolloutId)) if (isRootStart(event)) return event.tools;
  return [];
}

function isRootStart(
  event: RolloutEvent,
): event is Extract<RolloutEvent, { type: 'invocation_start' }> {
  return event.type === 'invocation_start' && event.invocationId === 'root';
}
