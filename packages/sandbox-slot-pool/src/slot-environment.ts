import type { SlotHost } from './slot-host.ts';

/** What belongs to the process that asked, and not to the image. */
const NOT_THE_IMAGES: ReadonlySet<string> = new Set([
  'HOME',
  'HOSTNAME',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
]);

/** The environment that a container's image gives its programs. A host's own is nobody's business in a slot. */
export function slotEnvironment({
  hasWalls,
  probe,
}: Pick<SlotHost, 'hasWalls' | 'probe'>): Record<string, string> {
  if (!hasWalls) return {};
  const pairs = probe.environment.map((entry): [string, string] => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  const kept = pairs.filter(([name]) => !NOT_THE_IMAGES.has(name) && !name.startsWith('HERMES_'));
  return Object.fromEntries(kept);
}
