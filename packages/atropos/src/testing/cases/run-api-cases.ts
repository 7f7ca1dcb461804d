import { batchCases } from './batches.ts';
import { registeringCases } from './registering.ts';
import type { RunApiCase } from './run-api-case.ts';
import { sendingCases } from './sending.ts';

/** The 22 cases, by number. */
export const runApiCases: readonly RunApiCase[] = [
  ...registeringCases,
  ...sendingCases,
  ...batchCases,
].sort((a, b) => a.number - b.number);
