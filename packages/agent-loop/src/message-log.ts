import type { EmitEvent, Message } from '@hermes/protocol';

/** All messages of an invocation, and those of them that are its history now. */
export interface MessageLog {
  append(message: Message): void;
  /** The history as it stands; a later append does not change what was returned. */
  history(): readonly Message[];
  /** Makes these the history; those that are not in it yet are appended. Returns the log indexes. */
  replaceHistory(messages: readonly Message[]): readonly number[];
  all(): readonly Message[];
}

/** Every message that enters is told by one event. */
export function createMessageLog(invocationId: string, emit: EmitEvent): MessageLog {
  const messages: Message[] = [];
  let historyIndexes: number[] | null = null;

  function append(message: Message): number {
    const index = messages.push(message) - 1;
    emit({ type: 'message_append', invocationId, index, message });
    return index;
  }

  function history(): readonly Message[] {
    if (historyIndexes === null) return messages.slice();
    return historyIndexes.flatMap((index) => messages[index] ?? []);
  }

  function replaceHistory(next: readonly Message[]): readonly number[] {
    const places = placesOf(messages, historyIndexes ?? [...messages.keys()]);
    historyIndexes = next.map((message) => places.get(message)?.shift() ?? append(message));
    return historyIndexes.slice();
  }

  return {
    append(message) {
      const index = append(message);
      historyIndexes?.push(index);
    },
    history,
    replaceHistory,
    all: () => messages.slice(),
  };
}

/** Where each message object stands; one object may stand in several places. */
function placesOf(
  messages: readonly Message[],
  indexes: readonly number[],
): ReadonlyMap<Message, number[]> {
  const places = new Map<Message, number[]>();
  for (const index of indexes) {
    const message = messages[index];
    if (message === undefined) continue;
    const known = places.get(message);
    if (known) known.push(index);
    else places.set(message, [index]);
  }
  return places;
}
