import type { CreateMachine } from './format.ts';
import { Machine } from './machine.ts';

/** Makes the id of a call whose own was used before; `largest` is the largest number of an id. */
export type RepeatedId = (name: string, largest: number) => string;

/**
 * Makes machines that keep the ids which calls bring. A repeated one is replaced: by `repeated`,
 * or else by a new id like any other.
 */
export function nativeIds(repeated?: RepeatedId): CreateMachine {
  return (format, options) => new NativeIdMachine(format, options, repeated);
}

class NativeIdMachine extends Machine {
  readonly #used = new Set<string>();
  /** The largest number at the end of an id. */
  #largest = -1;
  /** What the open call brought. */
  #nativeId: string | null = null;
  readonly #repeated: RepeatedId | undefined;

  constructor(...[format, options, repeated]: [...Parameters<CreateMachine>, RepeatedId?]) {
    super(format, options);
    this.#repeated = repeated;
  }

  override startCall(name: string, nativeId: string | null, start: number): void {
    this.#nativeId = nativeId;
    const isRepeated = nativeId !== null && this.#used.has(nativeId);
    const id = isRepeated ? (this.#repeated?.(name, this.#largest) ?? null) : nativeId;
    super.startCall(name, id, start);
  }

  /** Only a complete call uses its id up. */
  override endCall(): void {
    const open = this.openCall;
    const nativeId = this.#nativeId;
    super.endCall();
    if (open === null || nativeId === null) return;
    const { id, name, start } = open;
    this.#used.add(id);
    this.#largest = Math.max(this.#largest, indexOfId(id));
    if (id !== nativeId) this.report('duplicate_id', start, { name });
  }
}

/** The number at the end of an id such as `functions.f:3`; -1 when there is none. */
function indexOfId(id: string): number {
  return Number(/:(\d{1,9})$/.exec(id)?.[1] ?? -1);
}
