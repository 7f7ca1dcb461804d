import { type Boundary, type ErrorInfo, HermesError } from '@hermes/protocol';

/** Anything thrown, as data. `code` is for errors that bring none. */
export function errorInfoOf(error: unknown, boundary: Boundary, code: string): ErrorInfo {
  if (HermesError.isInstance(error)) return error.toInfo();
  return { boundary, code, message: `${typeOf(error)}: ${messageOf(error)}`, retryable: false };
}

/** The class of a thrown thing, for people. */
export function typeOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The message of a thrown thing. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
