import { randomUUID } from 'node:crypto';
import type { Effects } from '@hermes/protocol';
import type { Sandbox, SandboxProvider, SandboxSpec } from '@hermes/sandbox';
import Dockerode from 'dockerode';
import { createSandboxProvider, type DockerSandboxSettings } from '../src/index.ts';

export const SOCKET = '/var/run/docker.sock';

/** The daemon itself, to look from outside. */
export const docker: Dockerode = new Dockerode({ socketPath: SOCKET });

export const DEBIAN = 'hermes-test/debian:1';
export const BUSYBOX = 'hermes-test/busybox:1';

export function openProvider(
  settings: DockerSandboxSettings = {},
  effects: Partial<Effects> = {},
): Promise<SandboxProvider> {
  return createSandboxProvider(
    { image: DEBIAN, ...settings },
    { effects, openProvider: () => Promise.reject(new Error('no inner provider')) },
  );
}

export function create(
  provider: SandboxProvider,
  spec: Partial<SandboxSpec> = {},
): Promise<Sandbox> {
  const fixed = { lifetimeMs: 600_000, labels: {}, idempotencyKey: randomUUID() };
  return provider.create({ ...fixed, ...spec });
}

/** What a script prints. */
export async function output(sandbox: Sandbox, script: string): Promise<string> {
  const result = await sandbox.exec({ command: { script, shell: 'sh' }, timeoutMs: 60_000 });
  return result.stdout.text();
}

/** The code of the error that a promise ends with. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );
}

export async function exists(id: string): Promise<boolean> {
  const found = await docker.listContainers({ all: true, filters: { id: [id] } });
  return found.length > 0;
}
