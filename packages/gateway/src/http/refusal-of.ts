import { HermesError } from '@hermes/protocol';
import { Refusal } from './refusal.ts';

/** By the code of a model's error. An agent's client tries again on 429 and from 500 on: nothing was recorded then. */
const STATUS: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  CONFIG: 400,
  CONTEXT_OVERFLOW: 400,
  UNSUPPORTED: 400,
  RATE_LIMIT: 429,
  TIMEOUT: 504,
  CANCELLED: 503,
};

const NAMES: Readonly<Record<string, string>> = { CONTEXT_OVERFLOW: 'context_length_exceeded' };

/** Any fault as what an agent is told. What went wrong behind the gateway is 502, never the agent's own 401 or 404. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (HermesError.isInstance(error)) {
    const name = NAMES[error.code] ?? error.code.toLowerCase();
    return new Refusal(STATUS[error.code] ?? 502, name, error.message);
  }
  return new Refusal(500, 'internal_error', error instanceof Error ? error.message : String(error));
}
