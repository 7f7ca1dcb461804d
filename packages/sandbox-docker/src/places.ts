/** Where the supervisor's files are mounted, read-only, in every container. */
export const PROGRAM_DIR = '/.hermes';

/** A tmpfs for the supervisor's state: it takes no part in the container's own files, so no snapshot has it. */
export const RUN_DIR = '/run/hermes';

/** The supervisor's own folder in it. */
export const STATE_DIR: string = `${RUN_DIR}/state`;

export const FALLBACK_PATH: string = `${PROGRAM_DIR}/fallback.sh`;

/** The supervisor's program for a processor, as Docker names it. */
export function programPath(architecture: string): string {
  return `${PROGRAM_DIR}/hermes-supervisor-linux-${architecture}`;
}
