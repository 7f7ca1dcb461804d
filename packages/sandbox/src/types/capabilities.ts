import type { ImageSpec } from './sandbox-spec.ts';

/**
 * What a provider can do; true only where the conformance kit proves it. Those of the provider are static,
 * those of one sandbox may be narrower (its supervisor may be the `sh` script).
 */
export type Capabilities = Readonly<{
  /** A real POSIX shell; false only in memory. */
  shell: boolean;
  /** Files stay between commands. */
  persistentFs: boolean;
  /** `/app`, `/tests` and `/logs` can be made, and are private to the sandbox. */
  absolutePaths: boolean;
  sessions: boolean;
  tty: boolean;
  stdin: boolean;
  streaming: boolean;
  /** Bytes pass unchanged, in commands and in files. */
  binary: boolean;
  /** Commands and files as another user. */
  users: boolean;
  /** Commands run as a root that may do what root does. */
  root: boolean;
  networkNone: boolean;
  networkAllowlist: boolean;
  ports: boolean;
  /** Port numbers are those of a host that sandboxes share: one that another sandbox has is refused. Absent: each has its own. */
  sharedPorts?: boolean;
  snapshot: boolean;
  /** `attach` finds a running sandbox, and a command's result survives a lost channel. */
  reattach: boolean;
  gpu: boolean;
  /** `spec.image` of the kinds ref and build is run; absent: false. */
  images?: boolean;
  /** Every kind of `spec.image` that is run, where it is not just those two. */
  imageKinds?: readonly ImageSpec['kind'][];
  /** How a command's whole process tree is ended. `pgid` misses processes that leave the group. */
  killTree: 'cgroup' | 'pidns' | 'subreaper' | 'pgid' | 'none';
  /** What keeps a sandbox from the host. `none` keeps nothing. */
  isolation: 'none' | 'process' | 'container' | 'vm';
  /** Which of `spec.resources` are enforced. */
  resourceLimits: Readonly<{ cpu: boolean; memory: boolean; pids: boolean; disk: boolean }>;
  /** What `usage()` observes. */
  usage: Readonly<{ cpu: boolean; memory: boolean; oom: boolean }>;
  /** `spec.readonlyRoot` is honoured; absent: refused. */
  readonlyRoot?: boolean;
  /** `spec.mounts` are honoured; absent: refused. */
  mounts?: boolean;
  /** `resources.shmBytes` is honoured; absent: refused. */
  shm?: boolean;
  /** `spec.nesting` is honoured; absent: refused. */
  nesting?: boolean;
  /** Longest single argument of a command. */
  maxArgBytes: number;
  /** Largest file that can be written; null: no limit of the provider's own. */
  maxUploadBytes: number | null;
  /** How exact deadlines are kept. */
  timeoutGranularityMs: number;
}>;
