import { supervisorFiles } from '../core/supervisor-files.ts';
import type { SandboxPlaces } from './launcher.ts';

/** The supervisor that is to run, as a file of this machine: the Go program, or the `sh` script. */
export type HostSupervisor = Readonly<{ kind: 'go' | 'sh'; path: string }>;

/** The Go program where there is a build of it for this machine, unless the script is asked for. */
export function findHostSupervisor(choice: 'auto' | 'go' | 'sh'): HostSupervisor {
  const { binary, fallback } = supervisorFiles();
  const program = choice === 'sh' ? null : binary(process.arch);
  return program === null ? { kind: 'sh', path: fallback } : { kind: 'go', path: program };
}

/** What a layout says of a supervisor that is seen inside as `path`. */
export function supervisorPlace(
  { kind }: HostSupervisor,
  path: string,
): Pick<SandboxPlaces, 'supervisorPath' | 'fallbackPath'> {
  return kind === 'go' ? { supervisorPath: path } : { fallbackPath: path };
}
