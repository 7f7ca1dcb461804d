import type { Capabilities } from '../types.ts';
import { hasCapability } from './capability-keys.ts';
import type { CapabilityKey, ConformanceCase } from './conformance-case.ts';

/** The claims that no case has put to the test: a case proves a key when it could run in full. */
export function unprovedCapabilities(
  claimed: readonly CapabilityKey[],
  capabilities: Capabilities,
  cases: readonly ConformanceCase[],
): CapabilityKey[] {
  const ran = cases.filter(({ needs }) => needs.every((key) => hasCapability(capabilities, key)));
  const proved = new Set(ran.flatMap(({ needs, proves = [] }) => [...needs, ...proves]));
  return claimed.filter((key) => !proved.has(key));
}
