import type { CreateMachine } from '../format.ts';
import { extendedMachine } from './extended-machine.ts';

/** Makes the id of a call whose own was used before; `largest` is the largest number of an id. */
export type RepeatedId = (name: string, largest: number) => string;

/**
 * Makes machines that keep the ids which calls bring. A repeated one is replaced: by `repeated`, or else by a new id
 * like any other. Only a complete call uses its id up.
 */
export function nativeIds(repeated?: RepeatedId): CreateMachine {
  return extendedMachine((machine) => {
    const used = new Set<string>();
    /** The largest number at the end of an id. */
    let largest = -1;
    return {
      callId: (name, givenId) => {
        const isRepeated = givenId !== null && used.has(givenId);
        return isRepeated ? (repeated?.(name, largest) ?? null) : givenId;
      },
      endCall({ id, name, start }, givenId) {
        if (givenId === null) return;
        used.add(id);
        largest = Math.max(largest, indexOfId(id));
        if (id !== givenId) machine.report('duplicate_id', start, { name });
      },
    };
  });
}

/** The number at the end of an id such as `functions.f:3`; -1 when there is none. */
function indexOfId(id: string): number {
  return Number(/:(\d{1,9})$/.exec(id)?.[1] ?? -1);
}
