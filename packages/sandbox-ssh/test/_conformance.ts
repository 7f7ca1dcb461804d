import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { createSandboxProvider, type SshSandboxSettings } from '../src/index.ts';
import { serverSettings } from './_server.ts';

/** Registers the kit for one account of the tests' server. Where that is missing its runs fail: they are never skipped. */
export function describeSshConformance(settings: SshSandboxSettings): void {
  const context = { openProvider: () => Promise.reject(new Error('no other provider is opened')) };
  describeSandboxConformance({
    name: `ssh (${settings.user}, ${settings.supervisor})`,
    open: () => createSandboxProvider({ ...serverSettings(), ...settings }, context),
  });
}
