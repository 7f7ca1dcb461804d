import { HermesError } from '@hermes/protocol';
import { Refusal } from './refusal.ts';

/** Any fault as what a caller is told. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (HermesError.isInstance(error)) {
    const status = error.boundary === 'config' || error.code === 'CONFIG' ? 400 : 500;
    return new Refusal(status, error.code.toLowerCase(), error.message);
  }
  return new Refusal(500, 'internal_error', error instanceof Error ? error.message : String(error));
}
