export type SandboxExitReason =
  | 'destroyed'
  | 'lifetime'
  | 'idle'
  | 'oom'
  | 'crashed'
  | 'evicted'
  | 'provider_error'
  | 'lost';
export type ResourceUsage = Readonly<{
  cpuSeconds: number | null;
  peakMemoryBytes: number | null;
  wallSeconds: number;
  diskBytes: number | null;
  oomKills: number | null;
  scope: 'sandbox' | 'exec' | 'slot';
  source: 'cgroup_v1' | 'cgroup_v2' | 'engine_stats' | 'provider_api' | 'rusage' | 'none';
  exact: boolean;
}>;
export type Gap = Readonly<{ code: string; detail?: string }>;
export type SandboxReport = Readonly<{
  role: 'agent' | 'verifier' | 'environment';
  provider: string;
  sandboxId: string | null;
  isolation: string;
  image: string | null;
  exitReason: SandboxExitReason | null;
  usage: ResourceUsage | null;
  gaps: readonly Gap[];
}>;
