import { HermesError, ModelError, type ModelErrorCode } from '@hermes/protocol';

/**
 * An error of llama.cpp as the one kind that an engine throws; what is of that kind stays as it is.
 * `complaints`: what llama.cpp itself has said about it.
 */
export function asModelError(
  code: ModelErrorCode,
  what: string,
  cause: unknown,
  complaints: readonly string[] = [],
): HermesError {
  if (HermesError.isInstance(cause)) return cause;
  const thrown = cause instanceof Error ? cause.message : String(cause);
  const reasons = [...new Set([thrown.trim(), ...complaints])].join('; ');
  return new ModelError(code, `llama.cpp could not ${what}: ${reasons}`, { cause });
}
