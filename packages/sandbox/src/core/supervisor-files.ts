import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the packaged supervisor is on this machine, for drivers that mount it. */
export type SupervisorFiles = Readonly<{
  /** The static program for `uname -m` (x86_64, aarch64) or Node's `process.arch` (x64, arm64); null where there is none. */
  binary(arch: string): string | null;
  /** The POSIX sh script for all others. */
  fallback: string;
}>;

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  amd64: 'amd64',
  x64: 'amd64',
  aarch64: 'arm64',
  arm64: 'arm64',
};

/** The packaged supervisor's files: the same ones whether this runs from the sources or from dist. */
export function supervisorFiles(): SupervisorFiles {
  const folder = findFolder();
  return {
    binary: (arch) => {
      const name = ARCHITECTURES[arch];
      const path = `${folder}bin/hermes-supervisor-linux-${name}`;
      return name !== undefined && existsSync(path) ? path : null;
    },
    fallback: `${folder}fallback.sh`,
  };
}

/** This module is src/core/ here in the sources, and one of the files of dist/ in the package. */
function findFolder(): string {
  const places = ['../supervisor/', '../../supervisor/'];
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(folder)) ?? `${folders[0]}`;
}
