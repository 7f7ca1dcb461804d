import type { ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import type { Capabilities } from './capabilities.ts';
import type { SandboxInfo, SandboxPorts } from './sandbox.ts';
import type {
  CreateOptions,
  LabelFilter,
  PreflightReport,
  SandboxRef,
} from './sandbox-provider.ts';
import type { ImageSpec, ResourceLimits, SandboxSpec } from './sandbox-spec.ts';

/** What a driver makes a sandbox with. */
export type DriverCreateOptions = CreateOptions &
  Readonly<{
    /** Limits that were asked for as well as can be, and are not in the spec: the capabilities promise nothing for them. */
    wishedLimits?: ResourceLimits;
  }>;

/** All that a provider writes: `createProviderFromDriver` makes a provider of it. */
export interface SandboxDriver {
  readonly id: string;
  readonly capabilities: Capabilities;
  preflight(signal?: AbortSignal): Promise<PreflightReport>;
  /** The spec's policy is checked already. Secrets are not given to the driver. Labels must be kept with the sandbox. */
  create(spec: SandboxSpec, options: DriverCreateOptions): Promise<DriverSandbox>;
  attach(ref: SandboxRef, signal?: AbortSignal): Promise<DriverSandbox>;
  list(filter: LabelFilter): AsyncIterable<SandboxRef>;
  /** Ends everything of it. Idempotent. */
  destroy(ref: SandboxRef): Promise<void>;
  close?(): Promise<void>;
}

/** One sandbox as its driver sees it. */
export interface DriverSandbox {
  readonly ref: SandboxRef;
  readonly info: SandboxInfo;
  /** Fires when the driver learns of the sandbox's end; a driver that cannot learn of it never fires. */
  readonly gone: AbortSignal;
  /** A folder inside that is this sandbox's own, for the supervisor; the core makes it. Default `/tmp/.hermes-<id>`. */
  readonly stateDir?: string;
  /** The supervisor's program, where it is inside already (a mount, an image). Absent: the core uploads it through the channel. */
  readonly supervisorPath?: string;
  /** `supervisorFiles().fallback` as it is seen inside, where the driver mounts it; absent: the core sends the script. */
  readonly fallbackPath?: string;
  /** Environment that every process in this sandbox needs (HOME, TMPDIR, PATH, a mark). The core puts it below `spec.env` and the request's own. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Who runs commands and owns files where a request names no user, while the supervisor is a root that may act as anyone.
   * Absent: the supervisor's own user.
   */
  readonly user?: string;
  readonly ports?: SandboxPorts;
  /**
   * The supervisor's process as a program that joins it sees it; null before its start. Absent: the driver cannot know.
   * Commands reach the supervisor's socket too, so a later channel goes to this process alone.
   */
  supervisorPid?(): number | null;
  /** Starts a program inside, as `spec.user` or the most able user. The core uses it for the supervisor alone. */
  openChannel(
    argv: readonly [string, ...string[]],
    options: { readonly signal?: AbortSignal },
  ): Promise<ByteChannel>;
  usage?(): Promise<ResourceUsage | null>;
  /** The kernel's kills for want of memory so far, where that is cheaper than `usage`; asked after each failed command. */
  oomKills?(): Promise<number | null>;
  extend?(ms: number): Promise<void>;
  snapshot?(name: string, signal?: AbortSignal): Promise<ImageSpec>;
  /** Asked once after `gone`; default `lost`. */
  exitReason?(): Promise<SandboxExitReason>;
}

/** A started process as bytes. */
export interface ByteChannel {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when the bytes were handed on: whoever writes waits for a slow reader. */
  write(bytes: Uint8Array): Promise<void>;
  closeWrite(): Promise<void>;
  /** Never rejects. */
  readonly closed: Promise<Readonly<{ exitCode: number | null; error: string | null }>>;
  /** Idempotent. */
  destroy(): void;
}
