import { HermesError } from '@hermes/protocol';
import type {
  Effects,
  Gap,
  HermesErrorOptions,
  ResourceUsage,
  SandboxExitReason,
} from '@hermes/protocol';
export type SandboxErrorCode =
  | 'CONFIG'
  | 'AUTH'
  | 'QUOTA'
  | 'CAPACITY'
  | 'IMAGE_NOT_FOUND'
  | 'IMAGE_BUILD_FAILED'
  | 'IMAGE_PULL_FAILED'
  | 'NETWORK_SETUP'
  | 'PROVISION_TIMEOUT'
  | 'SANDBOX_GONE'
  | 'SANDBOX_UNHEALTHY'
  | 'EXEC_NOT_STARTED'
  | 'SESSION_BUSY'
  | 'TRANSPORT'
  | 'UNSUPPORTED'
  | 'CANCELLED'
  | 'PROTOCOL';
/** scope says what is lost: this request, this sandbox (the trajectory ends), or the whole provider. */
export class SandboxError extends HermesError<SandboxErrorCode> {
  readonly scope: 'request' | 'sandbox' | 'provider';
  constructor(
    code: SandboxErrorCode,
    scope: 'request' | 'sandbox' | 'provider',
    message: string,
    options?: HermesErrorOptions,
  ) {
    super('sandbox', code, message, options);
    this.name = 'SandboxError';
    this.scope = scope;
  }
}
/** true only where the kit proves it. Static ones stand on the provider; a sandbox's own may be narrower. */
export type Capabilities = Readonly<{
  shell: boolean;
  persistentFs: boolean;
  absolutePaths: boolean; // shell: a real POSIX shell; false only in memory
  // absolutePaths: /app, /tests, /logs can be made and are private
  sessions: boolean;
  tty: boolean;
  stdin: boolean;
  streaming: boolean;
  binary: boolean;
  users: boolean;
  root: boolean;
  networkNone: boolean;
  networkAllowlist: boolean;
  ports: boolean;
  snapshot: boolean;
  reattach: boolean;
  gpu: boolean;
  /** spec.image of kind ref and build is run; absent: false. */
  images?: boolean;
  /** Every kind of spec.image that is run, where it is not just those two. */
  imageKinds?: readonly ImageSpec['kind'][];
  killTree: 'cgroup' | 'pidns' | 'subreaper' | 'pgid' | 'none';
  isolation: 'none' | 'process' | 'container' | 'vm';
  resourceLimits: Readonly<{ cpu: boolean; memory: boolean; pids: boolean; disk: boolean }>;
  usage: Readonly<{ cpu: boolean; memory: boolean; oom: boolean }>;
  /** spec.readonlyRoot, spec.mounts and resources.shmBytes are honoured; absent: refused. */
  readonlyRoot?: boolean;
  mounts?: boolean;
  shm?: boolean;
  maxArgBytes: number;
  maxUploadBytes: number | null;
  timeoutGranularityMs: number;
}>;
/** Serialisable; enough for attach and destroy in another process. */
export type SandboxRef = Readonly<{
  provider: string;
  id: string;
  name: string | null;
  labels: Readonly<Record<string, string>>;
}>;
export type SandboxInfo = Readonly<{
  provider: string;
  image: string | null;
  imageDigest: string | null;
  workdir: string;
  user: string;
  isolation: Capabilities['isolation'];
  createdAtMs: number;
  expiresAtMs: number;
  unmetLimits: readonly string[];
}>; // filled only under enforce 'best_effort'
export type ImageSpec = Readonly<
  | { kind: 'ref'; ref: string }
  | {
      kind: 'build';
      contextDir: string;
      dockerfile?: string;
      buildArgs?: Readonly<Record<string, string>>;
      timeoutMs?: number;
    }
  | { kind: 'snapshot'; id: string }
  | { kind: 'sif'; path: string }
  | { kind: 'rootfs'; path: string }
>;
export type NetworkPolicy = Readonly<
  | { mode: 'none' }
  | { mode: 'open' }
  | { mode: 'allowlist'; hosts: readonly string[]; cidrs?: readonly string[] }
>;
export type Mount = Readonly<{ source: string; target: string; readOnly: boolean }>;
/** Absent = the provider's default. A policy that cannot be honoured is refused with UNSUPPORTED before anything exists. */
export type SandboxSpec = Readonly<{
  image?: ImageSpec;
  network?: NetworkPolicy;
  user?: string;
  workdir?: string;
  readonlyRoot?: boolean;
  mounts?: readonly Mount[];
  resources?: Readonly<{
    cpus?: number;
    memoryBytes?: number;
    diskBytes?: number;
    pids?: number;
    shmBytes?: number;
    gpus?: string;
    enforce?: 'require' | 'best_effort';
  }>; // default require
  env?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>; // secrets: only into execs that name them; never logged, stored, snapshot
  ports?: readonly number[];
  lifetimeMs: number;
  idleMs?: number; // lifetime: the sandbox also ends itself
  labels: Readonly<Record<string, string>>;
  idempotencyKey: string;
}>; // same key again = the same sandbox, or its name's conflict
export type ProvisionEvent = Readonly<{
  phase: 'pull' | 'build' | 'create' | 'start' | 'ready';
  message?: string;
  current?: number;
  total?: number;
}>;
export type CreateOptions = Readonly<{
  signal?: AbortSignal;
  onProgress?: (event: ProvisionEvent) => void;
}>;
export type PreflightReport = Readonly<{
  ok: boolean;
  /** One line for people: what was chosen here and why. */
  summary?: string;
  problems: readonly Readonly<{ code: string; message: string; fix: string }>[];
  capabilities: Capabilities;
}>;
export type LabelFilter = Readonly<{ labels?: Readonly<Record<string, string>> }>;
export type ReapPolicy = Readonly<{ runId?: string; dryRun?: boolean; olderThanMs?: number }>;
export type ReapReport = Readonly<{
  removed: readonly SandboxRef[];
  kept: readonly SandboxRef[];
  failed: readonly Readonly<{ ref: SandboxRef; message: string }>[];
}>;
export interface SandboxProvider {
  readonly specificationVersion: 'v1';
  readonly id: string;
  readonly capabilities: Capabilities;
  preflight(signal?: AbortSignal): Promise<PreflightReport>; // never throws for what it checks: credentials, daemon, image, capabilities proved here
  create(spec: SandboxSpec, options?: CreateOptions): Promise<Sandbox>; // throws SandboxError; what half existed is removed first. Caller disposes
  attach(ref: SandboxRef, signal?: AbortSignal): Promise<Sandbox>; // SANDBOX_GONE when it is not there; UNSUPPORTED without capability reattach
  list(filter?: LabelFilter): AsyncIterable<SandboxRef>;
  destroy(ref: SandboxRef): Promise<void>; // "not found" is success
  reap(policy?: ReapPolicy): Promise<ReapReport>; // expired, or owner pid dead in the same boot; never another live run's
  close(): Promise<void>;
} // connections only; sandboxes stay
export interface Sandbox extends AsyncDisposable {
  readonly ref: SandboxRef;
  readonly info: SandboxInfo;
  readonly capabilities: Capabilities;
  readonly files: SandboxFiles;
  readonly ports?: SandboxPorts;
  readonly gone: AbortSignal; // fires within seconds of the sandbox's death, also during a silent command; reason: SandboxError SANDBOX_GONE
  exec(request: ExecRequest): Promise<ExecResult>; // one-shot, independent of sessions. Throws only SandboxError
  spawn(request: ExecRequest): Promise<Proc>; // streaming, background; caller ends it, else dispose does
  session(options?: SessionOptions): Promise<ShellSession>; // cwd, exports, functions survive
  usage(): Promise<ResourceUsage | null>; // null = cannot be observed here
  health(signal?: AbortSignal): Promise<'ok' | 'degraded' | 'dead'>;
  extend(ms: number): Promise<void>; // UNSUPPORTED where the lifetime is fixed
  snapshot?(name: string, signal?: AbortSignal): Promise<ImageSpec>;
  dispose(reason?: string): Promise<SandboxOutcome>;
} // idempotent: the same outcome again; does not throw for "already gone"
export type SandboxOutcome = Readonly<{
  exitReason: SandboxExitReason;
  usage: ResourceUsage | null;
  gaps: readonly Gap[];
}>;
export interface SandboxPorts {
  expose(
    port: number,
  ): Promise<Readonly<{ url: string; headers: Readonly<Record<string, string>> }>>;
  forward?(port: number): Promise<ByteChannel>;
}
export type Command =
  | { readonly argv: readonly [string, ...string[]] }
  | Readonly<{ script: string; shell?: 'bash' | 'sh' }>; // shell default: bash, else sh. Scripts never travel in argv
export type ExecRequest = Readonly<{
  command: Command;
  timeoutMs: number; // required; the clock starts with the process, not with the queue. Infinity = lifetime
  stdin?: Uint8Array | string | AsyncIterable<Uint8Array> | 'open'; // default /dev/null; 'open' (spawn): write through Proc
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  secrets?: readonly string[];
  user?: string;
  signal?: AbortSignal; // secrets: names out of spec.secrets
  killGraceMs?: number; // default 2000: TERM, then KILL of the whole tree
  output?: Readonly<{
    maxBytes?: number;
    keep?: 'head_tail' | 'tail' | 'head';
    merge?: boolean;
    killAtLimit?: boolean;
  }>; // 1 MiB a stream, head_tail; beyond: drained and counted
  onData?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
  tty?: Readonly<{ cols: number; rows: number }>;
  background?: 'kill' | 'adopt'; // children that outlive the leader; default kill for exec, adopt for session
  drainMs?: number;
  idempotencyKey?: string;
}>; // drain after the leader's exit: 250 idle, 2000 cap. key default: random
export interface CapturedBytes {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
  readonly droppedBytes: number;
  text(): string;
} // text: lazy, marker line in the gap
export type ExecStatus = Readonly<
  | { status: 'exited'; exitCode: number }
  | { status: 'signaled'; signal: string }
  | { status: 'timeout' }
  | { status: 'cancelled' }
  | { status: 'oom' }
  | { status: 'output_limit_killed' }
  | { status: 'not_started'; message: string }
>; // the runtime could not start it: bad cwd, user, command
export type ExecResult = ExecStatus &
  Readonly<{
    stdout: CapturedBytes;
    stderr: CapturedBytes;
    leftover: Readonly<{ pipesOpen: boolean; killedPids: number }>;
    timing: Readonly<{ queuedMs: number; startedAtMs: number; wallMs: number }>;
    usage: ResourceUsage | null;
    cwdAfter: string | null;
  }>;
export interface Proc {
  readonly key: string;
  readonly pid: number | null;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>; // unread output is capped like exec's
  write(bytes: Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
  kill(signal?: string): Promise<void>; // kill: whole tree, default TERM then KILL
  wait(signal?: AbortSignal): Promise<ExecResult>;
  resize?(cols: number, rows: number): Promise<void>;
}
export type SessionOptions = Readonly<{
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  user?: string;
  shell?: 'bash' | 'sh';
}>;
export interface ShellSession extends AsyncDisposable {
  readonly id: string;
  exec(request: ExecRequest): Promise<ExecResult>;
  close(): Promise<void>;
} // second exec while busy: SESSION_BUSY
export type FileCode =
  | 'FILE_NOT_FOUND'
  | 'NOT_A_DIRECTORY'
  | 'IS_A_DIRECTORY'
  | 'PERMISSION'
  | 'FILE_TOO_LARGE'
  | 'NO_SPACE'
  | 'PATH_ESCAPE'
  | 'ALREADY_EXISTS';
export type FileResult<T> = Readonly<
  { ok: true; value: T } | { ok: false; code: FileCode; path: string }
>;
export type FileStat = Readonly<{
  path: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  mode: number;
  mtimeMs: number;
  linkTarget: string | null;
}>;
/** As the sandbox user unless `user` is given. Writes make parents and are atomic. Relative paths start at info.workdir. */
export interface SandboxFiles {
  read(
    path: string,
    options?: Readonly<{ maxBytes?: number; user?: string }>,
  ): Promise<FileResult<Uint8Array>>; // default 100 MiB
  readStream(path: string): Promise<FileResult<AsyncIterable<Uint8Array>>>;
  write(
    path: string,
    data: Uint8Array | string | AsyncIterable<Uint8Array>,
    options?: Readonly<{ mode?: number; user?: string }>,
  ): Promise<FileResult<null>>;
  stat(path: string): Promise<FileResult<FileStat>>;
  list(path: string): Promise<FileResult<readonly FileStat[]>>;
  mkdir(path: string): Promise<FileResult<null>>;
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<FileResult<null>>;
  rename(from: string, to: string): Promise<FileResult<null>>;
  uploadTree(
    localDir: string,
    path: string,
    options?: { readonly user?: string },
  ): Promise<FileResult<null>>;
  downloadTree(
    path: string,
    localDir: string,
    options?: { readonly maxBytes?: number },
  ): Promise<FileResult<null>>;
} // links as links; `..`, absolute names, devices: PATH_ESCAPE
// -- below the exec core: all that a provider writes
export interface SandboxDriver {
  readonly id: string;
  readonly capabilities: Capabilities;
  preflight(signal?: AbortSignal): Promise<PreflightReport>;
  create(spec: SandboxSpec, options: CreateOptions): Promise<DriverSandbox>;
  attach(ref: SandboxRef, signal?: AbortSignal): Promise<DriverSandbox>;
  list(filter: LabelFilter): AsyncIterable<SandboxRef>;
  destroy(ref: SandboxRef): Promise<void>;
  close?(): Promise<void>;
}
export interface DriverSandbox {
  readonly ref: SandboxRef;
  readonly info: SandboxInfo;
  readonly gone: AbortSignal;
  /** A folder inside that is this sandbox's own, for the supervisor; the core makes it. Default `/tmp/.hermes-<id>`. */
  readonly stateDir?: string;
  /** `supervisorFiles().fallback` as it is seen inside, where the driver mounts it; absent: the core sends the script. */
  readonly fallbackPath?: string;
  readonly supervisorPath?: string; // already inside (mount, image); absent: the core uploads it through the channel
  /**
   * The supervisor's process as a program that joins it sees it; null before its start. Absent: the driver cannot know.
   * Commands reach the supervisor's socket too, so a later channel goes to this process alone.
   */
  supervisorPid?(): number | null;
  /** Environment that every process in this sandbox needs (HOME, TMPDIR, PATH, a mark). The core puts it below spec.env and the request's own. */
  readonly env?: Readonly<Record<string, string>>;
  openChannel(
    argv: readonly [string, ...string[]],
    options: { readonly signal?: AbortSignal },
  ): Promise<ByteChannel>; // starts argv inside, as spec.user or the most able user; used for the supervisor alone
  putStream?(path: string, data: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>; // bulk path, only where it beats the channel
  getStream?(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  usage?(): Promise<ResourceUsage | null>;
  extend?(ms: number): Promise<void>;
  snapshot?(name: string, signal?: AbortSignal): Promise<ImageSpec>;
  readonly ports?: SandboxPorts;
  exitReason?(): Promise<SandboxExitReason>;
} // asked once after `gone`; default lost
/** A started process as bytes. write resolves when the bytes were handed on (back-pressure). closed never rejects. destroy is idempotent. */
export interface ByteChannel {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  closeWrite(): Promise<void>;
  readonly closed: Promise<Readonly<{ exitCode: number | null; error: string | null }>>;
  destroy(): void;
}
/** In `@hermes/sandbox/testing`: the whole kit as vitest suites. No skips: a case that a capability rules out must end in UNSUPPORTED. */
/** What every provider package exports as `createSandboxProvider`. settings: raw, parsed strictly by the package (CONFIG names the key); no I/O to the service here. */
export type CreateSandboxProvider = (
  settings: unknown,
  context: ProviderContext,
) => Promise<SandboxProvider>;
/** openProvider: by name or path, as the CLI resolves it; slot-pool opens `settings.inner` with it and closes it. */
export type ProviderContext = Readonly<{
  openProvider: (name: string, settings: unknown) => Promise<SandboxProvider>;
  effects?: Partial<Effects>;
}>;
/** commands: scripted answers by argv[0] or first word of a script; anything else is not_started. Files are real, in memory. */
export type MemoryCall = Readonly<{
  command: Command;
  stdin: Uint8Array;
  files: Map<string, Uint8Array>;
  cwd: string;
  signal: AbortSignal;
}>;
export type MemoryAnswer = Readonly<{ exitCode: number; stdout?: string; stderr?: string }>;
