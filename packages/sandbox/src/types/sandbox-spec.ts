/** What a sandbox is made from. */
export type ImageSpec = Readonly<
  | { kind: 'ref'; ref: string }
  | {
      kind: 'build';
      contextDir: string;
      /** Default: `Dockerfile` in the context. */
      dockerfile?: string;
      buildArgs?: Readonly<Record<string, string>>;
      timeoutMs?: number;
    }
  | { kind: 'snapshot'; id: string }
  | { kind: 'sif'; path: string }
  | { kind: 'rootfs'; path: string }
>;

/** What of the network can be reached from inside. */
export type NetworkPolicy = Readonly<
  | { mode: 'none' }
  | { mode: 'open' }
  | { mode: 'allowlist'; hosts: readonly string[]; cidrs?: readonly string[] }
>;

/** A host folder or file that is seen inside. */
export type Mount = Readonly<{ source: string; target: string; readOnly: boolean }>;

/** Limits of a sandbox. What is absent is not limited by us. */
export type ResourceLimits = Readonly<{
  cpus?: number;
  memoryBytes?: number;
  diskBytes?: number;
  pids?: number;
  shmBytes?: number;
  /** As the provider names GPUs, for example `all` or a count. */
  gpus?: string;
  /** `require` (the default): a limit that cannot be enforced is refused. `best_effort`: it is listed in `info.unmetLimits`. */
  enforce?: 'require' | 'best_effort';
}>;

/**
 * A sandbox to be made. Absent: the provider's default.
 * What the provider cannot honour is refused with UNSUPPORTED before anything exists.
 */
export type SandboxSpec = Readonly<{
  image?: ImageSpec;
  network?: NetworkPolicy;
  user?: string;
  /** Where commands start and relative paths begin. */
  workdir?: string;
  readonlyRoot?: boolean;
  mounts?: readonly Mount[];
  resources?: ResourceLimits;
  /** For every command. */
  env?: Readonly<Record<string, string>>;
  /** Only for commands that name them; never logged, stored or part of a snapshot. */
  secrets?: Readonly<Record<string, string>>;
  ports?: readonly number[];
  /**
   * Root inside may make namespaces, mounts and control groups, so that further sandboxes can be made within. It is then no
   * wall against root's own commands: only for who gives those sandboxes walls.
   */
  nesting?: boolean;
  /** After so long the sandbox ends itself, also without its maker. */
  lifetimeMs: number;
  /** It ends earlier when nothing ran for so long. */
  idleMs?: number;
  labels: Readonly<Record<string, string>>;
  /** The same key again means the same sandbox; where that one still lives, `create` refuses. */
  idempotencyKey: string;
}>;
