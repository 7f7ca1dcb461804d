import { supervisorFiles } from '../core/supervisor-files.ts';
import { SandboxError } from '../types.ts';
import type { SandboxPlaces } from './launcher.ts';

/** The supervisor that is to run, as a file of this machine: the Go program, or the `sh` script. */
export type HostSupervisor = Readonly<{ kind: 'go' | 'sh'; path: string }>;

/**
 * The Go program where there is a build of it for this machine, unless the script is asked for.
 * Throws CONFIG for one that is asked for by name and has no build.
 */
export function findHostSupervisor(choice: 'auto' | 'go' | 'sh'): HostSupervisor {
  const { binary, fallback } = supervisorFiles();
  const program = choice === 'sh' ? null : binary(process.arch);
  if (program === null && choice === 'go') {
    const message = `find the Go supervisor: there is no build for ${process.arch}; use supervisor auto or sh`;
    throw new SandboxError('CONFIG', 'provider', message);
  }
  return program === null ? { kind: 'sh', path: fallback } : { kind: 'go', path: program };
}

/** What a layout says of a supervisor that is seen inside as `path`. */
export function supervisorPlace(
  { kind }: HostSupervisor,
  path: string,
): Pick<SandboxPlaces, 'supervisorPath' | 'fallbackPath'> {
  return kind === 'go' ? { supervisorPath: path } : { fallbackPath: path };
}
