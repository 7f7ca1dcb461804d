import { decodeString } from '../json/json-text.ts';
import type { Machine } from '../machine.ts';
import { type CallKeys, EnvelopeReader } from './envelope.ts';

/** Reads a call object that brings its id under a key. */
export const identifiedEnvelope =
  (keys: CallKeys & Readonly<{ id: string }>) =>
  (machine: Machine): EnvelopeReader =>
    new IdentifiedEnvelopeReader(machine, keys, keys.id);

class IdentifiedEnvelopeReader extends EnvelopeReader {
  readonly #idKey: string;

  constructor(machine: Machine, keys: CallKeys, idKey: string) {
    super(machine, keys);
    this.#idKey = idKey;
  }

  protected override get nativeId(): string | null {
    const id = this.members.get(this.#idKey);
    if (id === undefined) return null;
    return this.machine.format.readId?.(id.kind === '"' ? decodeString(id.text) : id.text) ?? null;
  }

  /** A call begins with its id, so that the arguments flow only once it is known. */
  protected override get isArguments(): boolean {
    return this.members.has(this.#idKey) && super.isArguments;
  }
}
