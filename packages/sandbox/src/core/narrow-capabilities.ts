import type { Capabilities } from '../types.ts';
import type { Welcome } from './welcome.ts';

/** What is left of a driver's capabilities with this supervisor. */
export function narrowCapabilities(driver: Capabilities, welcome: Welcome): Capabilities {
  const has = (feature: string) => welcome.features.has(feature);
  return {
    ...driver,
    tty: driver.tty && has('tty'),
    sessions: driver.sessions && has('sessions'),
    reattach: driver.reattach && has('reconnect'),
    killTree: has('subreaper') || driver.killTree === 'none' ? driver.killTree : 'pgid',
  };
}
