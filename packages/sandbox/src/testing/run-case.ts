import { expect } from 'vitest';
import { SandboxError } from '../types.ts';
import { hasCapability } from './capability-keys.ts';
import type { CaseContext, ConformanceCase } from './conformance-case.ts';

/** Runs a case; where the sandbox lacks what it needs, the same operations must be refused. */
export async function runCase(testCase: ConformanceCase, context: CaseContext): Promise<void> {
  const lacking = testCase.needs.filter((key) => !hasCapability(context.capabilities, key));
  if (lacking.length === 0) return testCase.run(context);
  const error = await testCase.run(context).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expectUnsupported(error, lacking.join(', '));
}

function expectUnsupported(error: unknown, lacking: string): void {
  const because = `without ${lacking} this must end in SandboxError UNSUPPORTED`;
  expect(codeOf(error), `${because}, but ended with ${String(error ?? 'success')}`).toBe(
    'UNSUPPORTED',
  );
}

/** The code of a SandboxError, known by its marks so that a second copy of the package does not matter; else null. */
export function codeOf(error: unknown): string | null {
  if (!SandboxError.isInstance(error)) return null;
  return error.boundary === 'sandbox' ? error.code : null;
}
