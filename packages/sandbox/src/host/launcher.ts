import type { Capabilities, PreflightReport, SandboxSpec } from '../types.ts';
import type { SandboxRecord } from './sandbox-record.ts';

/** A program and its arguments. */
export type Argv = readonly [string, ...string[]];

/** All that a provider writes whose sandboxes are folders and processes of this machine; `createHostDriver` does the rest. */
export interface Launcher {
  /** The provider's name, as it stands in every ref. */
  readonly id: string;
  /** What its sandboxes can do here; `hostCapabilities` gives what holds for plain processes. */
  readonly capabilities: Capabilities;
  /** Why sandboxes cannot be made here, empty when they can, and one line on what was chosen. Found out before. */
  readonly findings: Pick<PreflightReport, 'problems' | 'summary'>;
  /** Decides where everything of a new sandbox lies. Makes nothing. May throw UNSUPPORTED for what the spec asks. */
  layOut(folder: string, id: string, spec: SandboxSpec): Layout;
  /** The host's command by which `argv`, as it is named inside, joins a running sandbox. Default: `joinCommand`. */
  join?(argv: Argv, record: SandboxRecord): Argv;
}

/** Where the parts of a sandbox lie, as its own processes see them. Kept in its record. */
export type SandboxPlaces = Readonly<{
  workdir: string;
  /** The supervisor's private folder, which the supervisor makes. */
  stateDir: string;
  /** Environment of every process inside. The driver adds the mark by which it finds them. */
  env: Readonly<Record<string, string>>;
  /** The Go supervisor. This or `fallbackPath` is there: the first program started inside has to be the supervisor. */
  supervisorPath?: string;
  /** The `sh` supervisor. */
  fallbackPath?: string;
}>;

/** A new sandbox: where its parts lie, and how its supervisor is started. */
export type Layout = SandboxPlaces &
  Readonly<{
    /** Host folders to make before the start. */
    hostFolders: readonly string[];
    /** Host folder in which the start command runs. Default: the sandbox's own. */
    startFolder?: string;
    /** The host's command that starts `argv` inside, with exactly this environment: `env` of this layout and the mark. It runs with it, too. */
    start(argv: Argv, env: SandboxPlaces['env']): Argv;
    /**
     * For a start command that makes a process namespace and tells of it in one line on descriptor 3: the host's number
     * of the namespace's first process. Null when the line does not tell; the start then has failed.
     */
    readInitPid?(statusLine: string): number | null;
  }>;
