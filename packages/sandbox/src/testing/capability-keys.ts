import type { Capabilities } from '../types.ts';
import type { CapabilityKey } from './conformance-case.ts';

/** Whether a sandbox claims a capability. */
export function hasCapability(capabilities: Capabilities, key: CapabilityKey): boolean {
  const value = claimOf(capabilities, key);
  if (Array.isArray(value)) return value.length > 0;
  return value !== 'none' && value !== false && value !== undefined;
}

/** Every capability that is claimed and so has to be proved. Bounds of processes mean nothing without a shell. */
export function claimedCapabilities(capabilities: Capabilities): CapabilityKey[] {
  const isVoid = (key: CapabilityKey): boolean => !capabilities.shell && processBounds.has(key);
  return allKeys(capabilities).filter((key) => hasCapability(capabilities, key) && !isVoid(key));
}

const processBounds: ReadonlySet<CapabilityKey> = new Set(['maxArgBytes', 'timeoutGranularityMs']);

function allKeys(capabilities: Capabilities): CapabilityKey[] {
  return Object.entries(capabilities).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  ) as CapabilityKey[];
}

function claimOf(capabilities: Capabilities, key: CapabilityKey): unknown {
  const [outer = '', inner] = key.split('.');
  const value: unknown = Object.entries(capabilities).find(([name]) => name === outer)?.[1];
  if (inner === undefined) return value;
  return Object.entries(value ?? {}).find(([name]) => name === inner)?.[1] ?? false;
}
