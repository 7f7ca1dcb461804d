import { type Boundary, type ErrorInfo, HermesError } from '@hermes/protocol';

/** Anything thrown, as data. `code` is for errors that bring none. */
export function errorInfoOf(error: unknown, boundary: Boundary, code: string): ErrorInfo {
  if (HermesError.isInstance(error)) return error.toInfo();
  return { boundary, code, message: describeThrown(error), retryable: false };
}

/** Class and message of a thrown thing, for people. */
export function describeThrown(error: unknown): string {
  return `${typeOf(error)}: ${messageOf(error)}`;
}

/** The message of a thrown thing. */
export function messageOf(error: unknown): string {
  return textFrom(() => (error instanceof Error ? error.message : error), '(it has no text)');
}

function typeOf(error: unknown): string {
  return textFrom(() => (error instanceof Error ? error.name : typeof error), 'object');
}

/** Anything can be thrown, also what throws when it is looked at. */
function textFrom(read: () => unknown, otherwise: string): string {
  try {
    return String(read());
  } catch {
    return otherwise;
  }
}
