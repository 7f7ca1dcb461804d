/** Why a sandbox ended. `destroyed` is the ordinary end; the others came from outside. */
export type SandboxExitReason =
  | 'destroyed'
  | 'lifetime'
  | 'idle'
  | 'oom'
  | 'crashed'
  | 'evicted'
  | 'provider_error'
  | 'lost';

/** What something used. null = not measured. */
export type ResourceUsage = Readonly<{
  cpuSeconds: number | null;
  peakMemoryBytes: number | null;
  wallSeconds: number;
  diskBytes: number | null;
  /** Processes killed for lack of memory. */
  oomKills: number | null;
  scope: 'sandbox' | 'exec' | 'slot';
  source: 'cgroup_v1' | 'cgroup_v2' | 'engine_stats' | 'provider_api' | 'rusage' | 'none';
  /** False: the figure may contain more or less than the scope says. */
  exact: boolean;
}>;

/** Something that could not be done or known. */
export type Gap = Readonly<{ code: string; detail?: string }>;

/** What a rollout's sandbox was and used. It stands here because events and records carry it. */
export type SandboxReport = Readonly<{
  role: 'agent' | 'verifier' | 'environment';
  provider: string;
  /** null = it never started. */
  sandboxId: string | null;
  isolation: string;
  image: string | null;
  /** null = it still runs, or never ran. */
  exitReason: SandboxExitReason | null;
  usage: ResourceUsage | null;
  gaps: readonly Gap[];
}>;
