import type { CreateSandboxProvider, SandboxDriver } from '@hermes/sandbox';
/** isolation auto = bubblewrap where it works, else none (which the CLI refuses for live models); a named one that is absent is refused in preflight. */
export type LocalSandboxSettings = Readonly<{
  isolation?: 'auto' | 'bubblewrap' | 'none';
  rootDir?: string;
  systemPaths?: readonly string[];
}>;
/** slot-pool, as another example: its driver starts the supervisor in a slot by `inner`'s sandbox.spawn. One lease = one Sandbox with its own generation. */
export type SlotPoolSettings = Readonly<{
  inner: Readonly<{ provider: string; settings: unknown }>;
  slotsPerSandbox?: number;
  minSandboxes?: number;
  maxSandboxes?: number;
  acquireTimeoutMs?: number;
}>;
