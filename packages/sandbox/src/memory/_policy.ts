import type { SandboxSpec } from '../types.ts';
import { unsupported } from './_errors.ts';
import { memoryUser } from './_names.ts';

/** Refuses what memory cannot honour, before anything exists; returns the limits that best effort leaves unmet. */
export function checkPolicy(spec: SandboxSpec): readonly string[] {
  const refused = policies(spec).find(([, asked]) => asked);
  if (refused !== undefined) throw unsupported(refused[0]);
  const { enforce = 'require', ...limits } = spec.resources ?? {};
  const unmet = Object.entries(limits).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (unmet.length > 0 && enforce === 'require') throw unsupported(`limit of ${unmet.join(', ')}`);
  return unmet;
}

function policies(spec: SandboxSpec): readonly (readonly [string, boolean])[] {
  return [
    ['image', spec.image !== undefined],
    ['network', spec.network !== undefined && spec.network.mode !== 'open'],
    ['other user', spec.user !== undefined && spec.user !== memoryUser],
    ['read-only root', spec.readonlyRoot ?? false],
    ['mounts', (spec.mounts ?? []).length > 0],
    ['ports', (spec.ports ?? []).length > 0],
  ];
}
