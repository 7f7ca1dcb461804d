import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { createSandboxProvider, type LocalSandboxSettings } from '../src/index.ts';

/** Registers the kit for one way of running. Where bubblewrap is missing its runs fail: they are never skipped. */
export function describeLocalConformance(settings: LocalSandboxSettings): void {
  const context = { openProvider: () => Promise.reject(new Error('no other provider is opened')) };
  describeSandboxConformance({
    name: `local (${settings.isolation}, ${settings.supervisor})`,
    open: () => createSandboxProvider(settings, context),
  });
}
