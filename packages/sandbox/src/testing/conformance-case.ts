import type { Capabilities, Sandbox, SandboxProvider, SandboxSpec } from '../types.ts';

type Flag = {
  [Key in keyof Capabilities]-?: Capabilities[Key] extends boolean | undefined ? Key : never;
}[keyof Capabilities];

/** A capability by name; nested ones with a dot. `killTree`, `isolation` and `images` stand for "anything but none". */
export type CapabilityKey =
  | Flag
  | 'images'
  | 'imageKinds'
  | 'killTree'
  | 'isolation'
  | `resourceLimits.${keyof Capabilities['resourceLimits']}`
  | `usage.${keyof Capabilities['usage']}`
  | 'maxArgBytes'
  | 'maxUploadBytes'
  | 'timeoutGranularityMs';

export type CaseGroup =
  | 'files'
  | 'sizes'
  | 'exec'
  | 'stdin'
  | 'text'
  | 'output'
  | 'timeout'
  | 'cancel'
  | 'background'
  | 'interaction'
  | 'sessions'
  | 'concurrency'
  | 'limits'
  | 'lifecycle'
  | 'ports'
  | 'usage';

/** What a case works with. Everything it opens is closed by the kit. */
export type CaseContext = Readonly<{
  provider: SandboxProvider;
  /** Shared by the cases of one provider; a case that harms a sandbox opens its own. */
  sandbox: Sandbox;
  capabilities: Capabilities;
  /** A folder of this case's own inside the shared sandbox, relative to its working directory. */
  folder: string;
  /** Labels that every sandbox of this run bears, and no other. */
  labels: Readonly<Record<string, string>>;
  spec: (overrides?: Partial<SandboxSpec>) => SandboxSpec;
  open: (overrides?: Partial<SandboxSpec>) => Promise<Sandbox>;
  /** An empty folder on this machine, removed afterwards. */
  localFolder: () => Promise<string>;
}>;

/** One requirement as data. Without all of `needs` the same `run` must end in UNSUPPORTED. */
export type ConformanceCase = Readonly<{
  group: CaseGroup;
  name: string;
  needs: readonly CapabilityKey[];
  /** Capabilities that the case tells apart itself, because their absence shows as a null or a gap. */
  proves?: readonly CapabilityKey[];
  run: (context: CaseContext) => Promise<void>;
}>;
