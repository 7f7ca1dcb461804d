import { type EnvelopeReader, usualKeys } from './envelope.ts';

/** Whether both parts of a call were seen in an object that plain text holds: what tells a cut call from other JSON. */
export function hasNameAndArguments(envelope: EnvelopeReader): boolean {
  const isAtArguments = usualKeys.arguments.includes(envelope.key);
  return envelope.name !== undefined && (envelope.arguments !== undefined || isAtArguments);
}
