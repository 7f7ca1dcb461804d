import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RolloutEvent } from '@hermes/protocol';

/** Text that is kept for one rollout before it is written. */
const BUFFER_CHARS = 32_768;

type Pending = { text: string; writing: Promise<void> };

/** One file of events a rollout, without deltas. Events are buffered; a failed write shows at the next flush. */
export type EventFiles = Readonly<{
  add: (event: RolloutEvent) => void;
  /** Resolves when all events of the rollout are in its file, and forgets it. */
  flush: (rolloutId: string) => Promise<void>;
  flushAll: () => Promise<void>;
}>;

/** Files in this folder, named after the rollout. */
export function openEventFiles(folder: string): EventFiles {
  const rollouts = new Map<string, Pending>();
  const write = (rolloutId: string, pending: Pending) => {
    const { text } = pending;
    if (text === '') return;
    pending.text = '';
    const path = join(folder, `${rolloutId}.jsonl`);
    pending.writing = pending.writing.then(() => appendFile(path, text));
    pending.writing.catch(() => undefined); // reported by flush, which awaits the same promise
  };
  const flush = async (rolloutId: string) => {
    const pending = rollouts.get(rolloutId);
    if (pending === undefined) return;
    rollouts.delete(rolloutId);
    write(rolloutId, pending);
    await pending.writing;
  };
  return {
    add: (event) => {
      if (event.type.endsWith('_delta')) return;
      const pending = pendingOf(rollouts, event.rolloutId);
      pending.text += `${JSON.stringify(event)}\n`;
      if (isDue(event, pending)) write(event.rolloutId, pending);
    },
    flush,
    flushAll: async () => {
      for (const rolloutId of [...rollouts.keys()]) await flush(rolloutId);
    },
  };
}

function pendingOf(rollouts: Map<string, Pending>, rolloutId: string): Pending {
  const known = rollouts.get(rolloutId);
  if (known) return known;
  const pending = { text: '', writing: Promise.resolve() };
  rollouts.set(rolloutId, pending);
  return pending;
}

/** The verdict is written before clean-up begins, which may hang. */
function isDue(event: RolloutEvent, pending: Pending): boolean {
  return event.type === 'verifier_end' || pending.text.length > BUFFER_CHARS;
}
