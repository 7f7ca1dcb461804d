import { isAbsolute, normalize } from 'node:path';
import { unsupported } from '../core/errors.ts';
import type { SandboxSpec } from '../types.ts';

const SYSTEM = /^\/(usr|etc|proc|dev|bin|sbin|lib\w*|run\/hermes[^/]*)?(\/|$)/;

/** The working directory of a sandbox with a root of its own. Throws UNSUPPORTED for one among the system folders. */
export function absoluteWorkdir({ workdir = '/workspace' }: Pick<SandboxSpec, 'workdir'>): string {
  const path = normalize(workdir);
  if (isAbsolute(path) && !SYSTEM.test(path)) return path.replace(/\/$/, '');
  throw unsupported(
    `create a sandbox: workdir ${workdir} must be an absolute path outside the system folders`,
  );
}
