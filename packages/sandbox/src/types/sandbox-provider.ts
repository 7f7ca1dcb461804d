import type { Effects } from '@hermes/protocol';
import type { Capabilities } from './capabilities.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxSpec } from './sandbox-spec.ts';

/** Names a sandbox; serialisable, and enough to attach to it or destroy it from another process. */
export type SandboxRef = Readonly<{
  provider: string;
  id: string;
  /** The name that the provider's own tools show; null: none. */
  name: string | null;
  labels: Readonly<Record<string, string>>;
}>;

/** Progress of `create`. `current` of `total` in the units of the phase, where the provider tells them. */
export type ProvisionEvent = Readonly<{
  phase: 'pull' | 'build' | 'create' | 'start' | 'ready';
  message?: string;
  current?: number;
  total?: number;
}>;

/** What goes along with `create`. */
export type CreateOptions = Readonly<{
  signal?: AbortSignal;
  onProgress?: (event: ProvisionEvent) => void;
}>;

/** What a provider found out about this machine or account. */
export type PreflightReport = Readonly<{
  /** Sandboxes can be made. */
  ok: boolean;
  /** One line for people: what was chosen here and why. */
  summary?: string;
  /** What is missing, each with what to do about it. */
  problems: readonly Readonly<{ code: string; message: string; fix: string }>[];
  /** As proved here. */
  capabilities: Capabilities;
}>;

/** All given labels must be there with these values. */
export type LabelFilter = Readonly<{ labels?: Readonly<Record<string, string>> }>;

/** What a reaper may remove. runId: only this run's. olderThanMs: also living owners' that are older. dryRun: remove nothing. */
export type ReapPolicy = Readonly<{ runId?: string; dryRun?: boolean; olderThanMs?: number }>;

/** What a reaper did, or would do. */
export type ReapReport = Readonly<{
  removed: readonly SandboxRef[];
  kept: readonly SandboxRef[];
  failed: readonly Readonly<{ ref: SandboxRef; message: string }>[];
}>;

/** Makes sandboxes of one kind. Everything that fails throws a SandboxError. */
export interface SandboxProvider {
  readonly specificationVersion: 'v1';
  readonly id: string;
  readonly capabilities: Capabilities;
  /** Checks credentials, daemon, image and what can be enforced. What it checks it reports, and never throws. */
  preflight(signal?: AbortSignal): Promise<PreflightReport>;
  /** When it fails or is cancelled, what half existed is removed first. The caller disposes the sandbox. */
  create(spec: SandboxSpec, options?: CreateOptions): Promise<Sandbox>;
  /** SANDBOX_GONE when it is not there; UNSUPPORTED without the capability `reattach`. */
  attach(ref: SandboxRef, signal?: AbortSignal): Promise<Sandbox>;
  list(filter?: LabelFilter): AsyncIterable<SandboxRef>;
  /** A sandbox that is not there is a success. */
  destroy(ref: SandboxRef): Promise<void>;
  /** Removes what has expired or whose owner is dead in the same boot; never another live run's. */
  reap(policy?: ReapPolicy): Promise<ReapReport>;
  /** Closes connections; sandboxes stay. */
  close(): Promise<void>;
}

/**
 * What every provider package exports as `createSandboxProvider`. The settings come raw and are parsed strictly by the
 * package (CONFIG names the key). It does not speak to its service yet: that is for `preflight`.
 */
export type CreateSandboxProvider = (
  settings: unknown,
  context: ProviderContext,
) => Promise<SandboxProvider>;

/** What a provider is opened with. */
export type ProviderContext = Readonly<{
  /** Opens another provider by name or path, for one that works inside of it; who opens it closes it. */
  openProvider: (name: string, settings: unknown) => Promise<SandboxProvider>;
  effects?: Partial<Effects>;
}>;
