type NetworkMode = 'public' | 'no-network' | 'allowlist';
type Loose = Record<string, unknown>;
type TextMap = Record<string, string>;

/** `[environment] healthcheck`, in seconds. */
export type HealthcheckToml = {
  command: string;
  interval_sec: number;
  timeout_sec: number;
  start_period_sec: number;
  start_interval_sec: number;
  retries: number;
};

type AgentToml = {
  timeout_sec?: number | undefined;
  user?: string | number | undefined;
  network_mode?: NetworkMode | undefined;
  allowed_hosts?: string[] | undefined;
};

type CollectToml = {
  command: string;
  service: string;
  timeout_sec: number;
  user?: string | number | undefined;
};

type ArtifactToml = Loose & { source: string; service: string };

type VerifierToml = Omit<AgentToml, 'timeout_sec'> & {
  timeout_sec: number;
  env: TextMap;
  environment_mode?: 'shared' | 'separate' | undefined;
  environment?: Loose | undefined;
  collect: CollectToml[];
};

type EnvironmentToml = {
  build_timeout_sec: number;
  docker_image?: string | undefined;
  os: 'linux' | 'windows';
  cpus?: number | undefined;
  memory_mb?: number | undefined;
  storage_mb?: number | undefined;
  memory?: string | undefined;
  storage?: string | undefined;
  gpus?: number | undefined;
  gpu_types?: string[] | undefined;
  tpu?: Loose | undefined;
  mcp_servers: Loose[];
  env: TextMap;
  skills_dir?: string | undefined;
  workdir?: string | undefined;
  healthcheck?: HealthcheckToml | undefined;
  network_mode?: NetworkMode | undefined;
  allowed_hosts: string[];
  allow_internet?: boolean | undefined;
};

/** Free form, save for the keys that are ours. */
type MetadataToml = Loose & {
  commands: string[];
  absolute_paths?: boolean | undefined;
  stop_processes?: boolean | undefined;
  tests_system?: boolean | undefined;
};

/** What a task.toml says, defaults filled in, with the file's own names. */
export type TaskToml = {
  schema_version?: string | undefined;
  version?: string | undefined;
  source?: string | undefined;
  multi_step_reward_strategy?: 'mean' | 'final' | undefined;
  artifacts?: (string | ArtifactToml)[] | undefined;
  task?: Loose | undefined;
  metadata: MetadataToml;
  agent: AgentToml;
  verifier: VerifierToml;
  solution: { env: TextMap };
  environment: EnvironmentToml;
  steps?: Loose[] | undefined;
};
