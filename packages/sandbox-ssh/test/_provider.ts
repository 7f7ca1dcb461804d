import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ExecRequest,
  ProviderContext,
  Sandbox,
  SandboxProvider,
  SandboxSpec,
} from '@hermes/sandbox';
import { onTestFinished } from 'vitest';
import { createSandboxProvider, type SshSandboxSettings } from '../src/index.ts';
import { serverSettings } from './_server.ts';

/** Under the load of a whole run. */
const CLOSING_MS = 60_000;

/** What a provider is opened with. */
export const context: ProviderContext = {
  openProvider: () => Promise.reject(new Error('no other provider is opened')),
};

/** A provider of the tests' server, unless the settings say another; closed after the test. */
export async function openProvider(settings: SshSandboxSettings = {}): Promise<SandboxProvider> {
  const provider = await createSandboxProvider({ ...serverSettings(), ...settings }, context);
  onTestFinished(() => provider.close());
  return provider;
}

/** A sandbox that is disposed after the test. */
export async function openSandbox(
  provider: SandboxProvider,
  spec: Partial<SandboxSpec> = {},
): Promise<Sandbox> {
  const sandbox = await provider.create(sandboxSpec(spec));
  onTestFinished(async () => void (await sandbox.dispose()), CLOSING_MS);
  return sandbox;
}

export function sandboxSpec(spec: Partial<SandboxSpec> = {}): SandboxSpec {
  return { lifetimeMs: 120_000, labels: {}, idempotencyKey: randomUUID(), ...spec };
}

/** What a script prints, stderr after stdout. */
export async function run(
  sandbox: Sandbox,
  script: string,
  extras: Partial<ExecRequest> = {},
): Promise<string> {
  const result = await sandbox.exec({ command: { script }, timeoutMs: 20_000, ...extras });
  return `${result.stdout.text()}${result.stderr.text()}`;
}

/** All of an async iterable. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** A place for sandboxes that an account of the tests' server may make; gone after the test. */
export async function remoteFolder(user = 'hermes-ssh'): Promise<string> {
  const folder = await temporaryFolder();
  execFileSync('chown', [user, folder]);
  return `${folder}/root`;
}

/** A temporary folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-ssh-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
