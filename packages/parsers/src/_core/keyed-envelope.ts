import { EnvelopeReader } from './envelope.ts';
import type { Machine } from './machine.ts';

/** Keys of a call object, the first one that is present wins. */
export interface CallKeys {
  readonly name: readonly string[];
  readonly arguments: readonly string[];
}

/** Reads a call object with keys of its own. */
export const keyedEnvelope =
  (keys: CallKeys) =>
  (machine: Machine): EnvelopeReader =>
    new KeyedEnvelopeReader(machine, keys);

class KeyedEnvelopeReader extends EnvelopeReader {
  readonly #names: readonly string[];

  constructor(machine: Machine, { name, arguments: argumentKeys }: CallKeys) {
    super(machine, { name: name[0] ?? 'name', arguments: argumentKeys });
    this.#names = name;
  }

  override get name(): string | undefined {
    const key = this.#names.find((candidate) => this.members.has(candidate));
    return key === undefined ? undefined : this.nameUnder(key);
  }
}
