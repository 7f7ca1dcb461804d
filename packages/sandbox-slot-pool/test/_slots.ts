import { randomUUID } from 'node:crypto';
import type { ExecRequest, Sandbox, SandboxProvider, SandboxSpec } from '@hermes/sandbox';

/** A slot of a pool; the caller disposes it. */
export function lease(
  provider: SandboxProvider,
  spec: Partial<SandboxSpec> = {},
): Promise<Sandbox> {
  return provider.create({
    lifetimeMs: 600_000,
    labels: {},
    idempotencyKey: randomUUID(),
    ...spec,
  });
}

/** What a script prints, stderr after stdout. */
export async function run(
  sandbox: Sandbox,
  script: string,
  extras: Partial<ExecRequest> = {},
): Promise<string> {
  const request = { command: { script }, timeoutMs: 60_000, ...extras };
  const result = await sandbox.exec(request);
  return `${result.stdout.text()}${result.stderr.text()}`;
}
