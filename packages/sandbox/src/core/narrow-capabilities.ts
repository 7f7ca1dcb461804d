import type { Capabilities } from '../types.ts';

/** The sh script runs plain commands, and nothing beyond. */
const SCRIPT_FEATURES: ReadonlySet<string> = new Set();

/** What is left of a driver's capabilities before any sandbox exists. */
export function providerCapabilities(
  driver: Capabilities,
  supervisor: 'auto' | 'go' | 'sh',
): Capabilities {
  return supervisor === 'sh' ? narrowCapabilities(driver, SCRIPT_FEATURES) : driver;
}

/** What is left of a driver's capabilities with this supervisor. */
export function narrowCapabilities(
  driver: Capabilities,
  features: ReadonlySet<string>,
): Capabilities {
  const has = (feature: string) => features.has(feature);
  return {
    ...driver,
    // Only the program can start a process as somebody else, and find all of a tree.
    users: driver.users && has('subreaper'),
    tty: driver.tty && has('tty'),
    sessions: driver.sessions && has('sessions'),
    reattach: driver.reattach && has('reconnect'),
    // The script is made of processes itself: a limit that its commands reach would stop it too.
    resourceLimits: {
      ...driver.resourceLimits,
      pids: driver.resourceLimits.pids && has('subreaper'),
    },
    killTree: has('subreaper') || driver.killTree === 'none' ? driver.killTree : 'pgid',
  };
}
