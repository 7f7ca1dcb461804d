import { unsupported as refusal } from '../core/errors.ts';
import type { SandboxError } from '../types.ts';

/** The refusal of something that only processes could do. */
export function unsupported(what: string): SandboxError {
  return refusal(
    `use ${what}: the in-memory sandbox has files and scripted commands; take a provider with real processes`,
  );
}
