import { randomUUID } from 'node:crypto';
import type { Sandbox, SandboxProvider, SandboxSpec } from '@hermes/sandbox';
import { onTestFinished } from 'vitest';
import { createSandboxProvider, type LocalSandboxSettings } from '../src/index.ts';
import { temporaryFolder } from './_folders.ts';

const context = { openProvider: () => Promise.reject(new Error('no other provider is opened')) };

/** A provider whose sandboxes lie in a folder of the test's own. */
export async function openProvider(settings: LocalSandboxSettings): Promise<SandboxProvider> {
  const rootDir = settings.rootDir ?? (await temporaryFolder());
  const provider = await createSandboxProvider({ ...settings, rootDir }, context);
  onTestFinished(() => provider.close());
  return provider;
}

/** A sandbox that is disposed after the test. */
export async function openSandbox(
  provider: SandboxProvider,
  spec: Partial<SandboxSpec> = {},
): Promise<Sandbox> {
  const sandbox = await provider.create(sandboxSpec(spec));
  onTestFinished(async () => void (await sandbox.dispose()));
  return sandbox;
}

export function sandboxSpec(spec: Partial<SandboxSpec> = {}): SandboxSpec {
  return { lifetimeMs: 120_000, labels: {}, idempotencyKey: randomUUID(), ...spec };
}

/** What a script prints, stderr after stdout. */
export async function run(sandbox: Sandbox, script: string): Promise<string> {
  const result = await sandbox.exec({ command: { script }, timeoutMs: 20_000 });
  return `${result.stdout.text()}${result.stderr.text()}`;
}

/** All of an async iterable. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
