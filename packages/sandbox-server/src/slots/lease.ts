import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Capabilities,
  Sandbox,
  SandboxProvider,
  SandboxSpec,
  ShellSession,
} from '@hermes/sandbox';
import type { Terminal } from '../terminal/terminal.ts';
import type { SandboxServerOptions } from '../types.ts';

/** The workspace of every slot, where the provider has places of its own. */
export const WORKSPACE = '/workspace';

/** What sandboxes of a server have in common. */
export type LeaseParts = Readonly<{
  provider: SandboxProvider;
  capabilities: Capabilities;
  spec: NonNullable<SandboxServerOptions['spec']>;
  lifetimeMs: number;
}>;

/** What one sandbox is opened with. */
export type LeaseRequest = Readonly<{
  slotId: string;
  /** Of this sandbox alone: the same key means the same sandbox. */
  key: string;
  runId: string;
  allowNetwork: boolean;
  signal: AbortSignal;
}>;

/** The sandbox of a slot between two resets. */
export interface Lease {
  readonly sandbox: Sandbox;
  readonly isNetworkIsolated: boolean;
  /** A command ran in it: its network is settled. */
  hasRun: boolean;
  session: ShellSession | null;
  terminal: Terminal | null;
}

export async function openLease(parts: LeaseParts, request: LeaseRequest): Promise<Lease> {
  const { allowNetwork, signal } = request;
  const sandbox = await parts.provider.create(specOf(parts, request), { signal });
  return {
    sandbox,
    isNetworkIsolated: !allowNetwork,
    hasRun: false,
    session: null,
    terminal: null,
  };
}

function specOf(
  { spec, capabilities, lifetimeMs }: LeaseParts,
  { slotId, key, runId, allowNetwork }: LeaseRequest,
): SandboxSpec {
  return {
    ...spec,
    ...(capabilities.absolutePaths ? { workdir: WORKSPACE } : {}),
    network: { mode: allowNetwork ? 'open' : 'none' },
    lifetimeMs,
    labels: { 'hermes.run': runId, 'hermes.trajectory': slotId },
    idempotencyKey: key,
  };
}

/** The files of one workspace into another. */
export async function copyWorkspace(from: Sandbox, to: Sandbox): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-sandbox-server-'));
  try {
    const down = await from.files.downloadTree('.', folder);
    const up = down.ok ? await to.files.uploadTree(folder, '.') : down;
    if (!up.ok) throw new Error(`the workspace could not be moved: ${up.code} ${up.path}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
