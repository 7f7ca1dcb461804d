import { EnvelopeReader, usualKeys } from './envelope.ts';

/** Reads an object in plain text, of which only its members tell whether it is a call. */
export class CandidateEnvelopeReader extends EnvelopeReader {
  /** Whether both parts of a call were seen: what tells a cut call from other JSON. */
  get hasNameAndArguments(): boolean {
    const isAtArguments = usualKeys.arguments.includes(this.key);
    return this.name !== undefined && (this.arguments !== undefined || isAtArguments);
  }
}
