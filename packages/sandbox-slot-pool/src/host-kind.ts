import type { ImageSpec, SandboxSpec } from '@hermes/sandbox';
import type { ResolvedSettings } from './settings.ts';

/** What an inner sandbox must be for a slot to fit in: slots of one kind share. */
export type HostKind = Readonly<{
  key: string;
  image: ImageSpec | null;
  network: 'none' | 'open';
}>;

/** The kind of inner sandbox that a spec needs. Ports need no network: they are carried through the supervisor. */
export function hostKind(
  { image, network }: Pick<SandboxSpec, 'image' | 'network'>,
  settings: Pick<ResolvedSettings, 'network'>,
): HostKind {
  const mode = network?.mode ?? settings.network;
  const fields = { image: image ?? null, network: mode === 'open' ? 'open' : 'none' } as const;
  return { ...fields, key: JSON.stringify(fields) };
}
