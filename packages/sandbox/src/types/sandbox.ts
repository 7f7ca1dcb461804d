import type { Gap, ResourceUsage, SandboxExitReason } from '@hermes/protocol';
import type { Capabilities } from './capabilities.ts';
import type { ExecRequest, ExecResult, Proc } from './exec.ts';
import type { ByteChannel } from './sandbox-driver.ts';
import type { SandboxFiles } from './sandbox-files.ts';
import type { SandboxRef } from './sandbox-provider.ts';
import type { ImageSpec } from './sandbox-spec.ts';

/** What a running sandbox is. */
export type SandboxInfo = Readonly<{
  provider: string;
  /** null: it has none. */
  image: string | null;
  imageDigest: string | null;
  workdir: string;
  user: string;
  isolation: Capabilities['isolation'];
  createdAtMs: number;
  expiresAtMs: number;
  /** Limits that are not enforced; filled only under enforce `best_effort`. */
  unmetLimits: readonly string[];
}>;

/** How a sandbox ended. gaps: what could not be observed or cleaned. */
export type SandboxOutcome = Readonly<{
  exitReason: SandboxExitReason;
  usage: ResourceUsage | null;
  gaps: readonly Gap[];
}>;

/** A place to run commands. Methods throw only SandboxError; all waits end when the sandbox does. */
export interface Sandbox extends AsyncDisposable {
  readonly ref: SandboxRef;
  readonly info: SandboxInfo;
  readonly capabilities: Capabilities;
  readonly files: SandboxFiles;
  /** Only with the capability `ports`. */
  readonly ports?: SandboxPorts;
  /** Fires within seconds of the sandbox's end, also during a silent command; the reason is SandboxError SANDBOX_GONE. */
  readonly gone: AbortSignal;
  /** Runs one command to its end, apart from all sessions. */
  exec(request: ExecRequest): Promise<ExecResult>;
  /** Starts a command and streams it. The caller ends it, else `dispose` does. */
  spawn(request: ExecRequest): Promise<Proc>;
  /** A shell in which directory, exports and functions survive from command to command. */
  session(options?: SessionOptions): Promise<ShellSession>;
  /** null: it cannot be observed here. */
  usage(): Promise<ResourceUsage | null>;
  health(signal?: AbortSignal): Promise<'ok' | 'degraded' | 'dead'>;
  /** Moves the end of the lifetime; UNSUPPORTED where it is fixed. */
  extend(ms: number): Promise<void>;
  /** Only with the capability `snapshot`. */
  snapshot?(name: string, signal?: AbortSignal): Promise<ImageSpec>;
  /** Ends it with everything in it, in bounded time. Idempotent: the same outcome again; "already gone" is no error. */
  dispose(reason?: string): Promise<SandboxOutcome>;
}

/** Ways to a port inside. */
export interface SandboxPorts {
  expose(
    port: number,
  ): Promise<Readonly<{ url: string; headers: Readonly<Record<string, string>> }>>;
  forward?(port: number): Promise<ByteChannel>;
}

/** How a session's shell starts. Default: bash where there is one, in the sandbox's working directory. */
export type SessionOptions = Readonly<{
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  user?: string;
  shell?: 'bash' | 'sh';
}>;

/** One command at a time; a second one while it is busy throws SESSION_BUSY. */
export interface ShellSession extends AsyncDisposable {
  readonly id: string;
  exec(request: ExecRequest): Promise<ExecResult>;
  close(): Promise<void>;
}
