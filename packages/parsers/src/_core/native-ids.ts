import type { Machine } from './machine.ts';

/** A call with the id it is handed over with and the one that it brought, if any. */
export type IdentifiedCall = Readonly<{
  id: string;
  nativeId: string | null;
  name: string;
  start: number;
}>;

/** The ids that the calls of one text brought so far. */
export class NativeIds {
  readonly #used = new Set<string>();
  /** The largest number at the end of an id. */
  #largest = -1;
  readonly #repeated: ((name: string, largest: number) => string) | undefined;

  /** `repeated` makes the id of a call whose own was used before. Default: a new id like any other. */
  constructor(repeated?: (name: string, largest: number) => string) {
    this.#repeated = repeated;
  }

  /** The id of a call that begins; undefined when it needs a new one. */
  choose(nativeId: string | null, name: string): string | undefined {
    if (nativeId === null) return undefined;
    return this.#used.has(nativeId) ? this.#repeated?.(name, this.#largest) : nativeId;
  }

  /** Remembers the id of a complete call, and reports one that took the place of a used one. */
  claim(machine: Pick<Machine, 'offset' | 'report'>, call: IdentifiedCall): void {
    const { id, nativeId, name, start } = call;
    if (nativeId === null) return;
    this.#used.add(id);
    this.#largest = Math.max(this.#largest, indexOfId(id));
    if (id !== nativeId) machine.report('duplicate_id', start, machine.offset, { name });
  }
}

/** The number at the end of an id such as `functions.f:3`; -1 when there is none. */
function indexOfId(id: string): number {
  return Number(/:(\d{1,9})$/.exec(id)?.[1] ?? -1);
}
