import { isAbsolute, normalize } from 'node:path';
import { unsupported } from '../core/errors.ts';
import type { SandboxSpec } from '../types.ts';

/** The working directory of a sandbox without a root of its own, below its folder. Throws UNSUPPORTED for one outside. */
export function relativeWorkdir({ workdir = '.' }: Pick<SandboxSpec, 'workdir'>): string {
  const path = normalize(workdir);
  if (!isAbsolute(path) && path.split('/')[0] !== '..') return path;
  throw unsupported(
    `create a sandbox: workdir ${workdir} must be relative without isolation: absolute places are the host's own`,
  );
}
