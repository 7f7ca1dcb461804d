import type { EnvironmentDefinition } from '@hermes/env-core';
import type { Capabilities, ImageSpec, NetworkPolicy } from '@hermes/sandbox';
export type TaskFoldersConfig = Readonly<{
  path: string;
  rewardKey?: string;
  verifierShim?: boolean;
  timeoutMultiplier?: number;
}>; // the last two mark the run
/** One read task.toml. env values still hold ${VAR}; they are resolved at use, from what the CLI passes. problems: lint, for `hermes tasks check`. */
export type TaskFolder = Readonly<{
  name: string;
  dir: string;
  digest: string;
  instruction: string;
  commands: readonly string[];
  image: ImageSpec | null;
  workdir: string | null;
  network: NetworkPolicy;
  needs: Partial<Capabilities>;
  cpus: number | null;
  memoryBytes: number | null;
  diskBytes: number | null;
  agentTimeoutMs: number | null;
  verifierTimeoutMs: number;
  buildTimeoutMs: number;
  env: Readonly<Record<string, string>>;
  verifierEnv: Readonly<Record<string, string>>;
  verifierUser: string | null;
  hasSolution: boolean;
  tags: Readonly<Record<string, string>>;
  problems: readonly Readonly<{ level: 'error' | 'warning'; message: string; place: string }>[];
}>;
