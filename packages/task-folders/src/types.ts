import type { Capabilities, ImageSpec, NetworkPolicy } from '@hermes/sandbox';

/** What `taskFolders` takes. */
export type TaskFoldersConfig = Readonly<{
  /** One task folder, or a folder of them. */
  path: string;
  /** The key of reward.json that is the reward where the file has no `reward`. */
  rewardKey?: string | undefined;
  /** Answers the verifier's installers (apt-get, curl, uv, uvx) with offline stand-ins. Marks the run: `verifier_shim`. */
  verifierShim?: boolean | undefined;
  /** Stretches or shrinks the tasks' own time limits. Marks the run: `timeout_override`. */
  timeoutMultiplier?: number | undefined;
}>;

/** Something to know about a task before it runs. place: `file` or `file:line`, inside the task folder. */
export type TaskProblem = Readonly<{
  /** error: the task cannot run, its trials are errored; warning: it runs. */
  level: 'error' | 'warning';
  message: string;
  place: string;
}>;

/** One file that a Dockerfile copies. */
export type CopiedFile = Readonly<{
  /** Path on this machine, inside the task's `environment` folder. */
  source: string;
  /** Absolute path in the sandbox. */
  path: string;
  /** Permission bits: those of `--chmod`, else the source's. */
  mode: number;
}>;

/** A Dockerfile as far as it can be followed without building an image. */
export type Dockerfile =
  | Readonly<{
      /** ARG, FROM, WORKDIR, ENV and COPY alone: applied as it is where a sandbox has no images. */
      kind: 'simple';
      workdir: string;
      env: Readonly<Record<string, string>>;
      directories: readonly string[];
      files: readonly CopiedFile[];
    }>
  /** reason: what needs an image, with its line. fix: the change with which it needs none, if there is a simple one. */
  | Readonly<{ kind: 'other'; reason: string; fix?: string }>;

/** Run after the start until it exits with 0; else the trial is errored (`setup_failed`). */
export type Healthcheck = Readonly<{
  command: string;
  intervalMs: number;
  timeoutMs: number;
  startPeriodMs: number;
  startIntervalMs: number;
  retries: number;
}>;

/** How the answer comes before the verifier. */
export type Grading = Readonly<{
  /** fresh: in a sandbox of the verifier's own, wherever one with a clean root can be had; shared: in the agent's. */
  root: 'fresh' | 'shared';
  /** What a fresh root gets: all data that the agent left, or nothing but the artifacts that the task lists. */
  carries: 'all' | 'artifacts';
  /** What the answer may depend on beside its data. image: on what the agent installed into the system; any: on no such thing. */
  system: 'image' | 'any';
  /** What becomes of what the agent left running. keep: a service may be what is tested. */
  processes: 'end' | 'keep';
}>;

/** A command that readies artifacts in the agent's sandbox before a separate verifier: `[[verifier.collect]]`. */
export type CollectCommand = Readonly<{ command: string; timeoutMs: number; user: string | null }>;

/** One task folder, read. Texts in `env` maps still hold `${VAR}` and `${VAR:-default}`; they are resolved when they are used. */
export type TaskFolder = Readonly<{
  /** The folder's own name: the item id. */
  name: string;
  dir: string;
  /** sha256 over the sorted names and contents of all files. */
  digest: string;
  instruction: string;
  /** Programs the sandbox must have: `[metadata] commands`. */
  commands: readonly string[];
  grading: Grading;
  /** The prebuilt image if one is named, else the Dockerfile to build; null = the task names none. */
  image: ImageSpec | null;
  dockerfile: Dockerfile | null;
  /** `[environment] workdir`; null = that of the image or Dockerfile. */
  workdir: string | null;
  network: NetworkPolicy;
  /** What the sandbox must be able to do, such as absolutePaths. */
  needs: Partial<Capabilities>;
  /** Set: why no sandbox can run the task yet. */
  unsupported: string | null;
  cpus: number | null;
  memoryBytes: number | null;
  diskBytes: number | null;
  gpus: number | null;
  /** null = the configuration's limit. */
  agentTimeoutMs: number | null;
  verifierTimeoutMs: number;
  buildTimeoutMs: number;
  env: Readonly<Record<string, string>>;
  verifierEnv: Readonly<Record<string, string>>;
  solutionEnv: Readonly<Record<string, string>>;
  agentUser: string | null;
  verifierUser: string | null;
  healthcheck: Healthcheck | null;
  /** Paths that the task lists as `artifacts`. */
  artifacts: readonly string[];
  collect: readonly CollectCommand[];
  /** Paths that the instruction or the tests name, `~/` for the home: data of the task also outside of its folders. */
  namedPlaces: readonly string[];
  /** Those of reward.json and reward.txt that the tests name; both where they name none. */
  rewardNames: readonly ('reward.json' | 'reward.txt')[];
  /** Whether a test script installs tools: else signs of a failed install are of the answer that it ran. */
  installsTools: boolean;
  hasSolution: boolean;
  /** difficulty, category, tags (joined by commas): those that the task gives. */
  tags: Readonly<Record<string, string>>;
  problems: readonly TaskProblem[];
}>;
