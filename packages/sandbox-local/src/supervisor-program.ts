import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';

const GO_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The Go supervisor's program for this machine, out of `@hermes/sandbox`; null where there is no build of it. */
export function findSupervisorProgram(): string | null {
  const architecture = GO_ARCHITECTURES[arch()];
  if (platform() !== 'linux' || architecture === undefined) return null;
  const manifest = createRequire(import.meta.url).resolve('@hermes/sandbox/package.json');
  const name = `hermes-supervisor-linux-${architecture}`;
  const program = join(dirname(manifest), 'supervisor', 'bin', name);
  return existsSync(program) ? program : null;
}
