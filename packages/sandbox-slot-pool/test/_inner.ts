import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider as createDocker } from '@hermes/sandbox-docker';
import { createSandboxProvider as createSsh } from '@hermes/sandbox-ssh';
import {
  createSandboxProvider,
  type InnerProviderSettings,
  type SlotPoolProvider,
  type SlotPoolSettings,
} from '../src/index.ts';

const DEBIAN = 'hermes-test/debian:1';

/** Containers of the tests' Debian image. */
export const onDocker: InnerProviderSettings = { provider: 'docker', settings: { image: DEBIAN } };

/** The root account of the tests' server. */
export function onSsh(): InnerProviderSettings {
  const folder = process.env.HERMES_TEST_SSHD ?? join(tmpdir(), 'hermes-test-sshd');
  const text = readFileSync(join(folder, 'env'), 'utf8');
  const value = (name: string) =>
    new RegExp(`^export ${name}='?([^'\n]*)'?$`, 'm').exec(text)?.[1] ?? '';
  const settings = {
    host: value('TERMINAL_SSH_HOST'),
    port: Number(value('TERMINAL_SSH_PORT')),
    user: 'root',
    key: value('TERMINAL_SSH_KEY'),
    knownHosts: value('TERMINAL_SSH_KNOWN_HOSTS'),
    agent: '',
  };
  return { provider: 'ssh', settings };
}

export function openPool(settings: SlotPoolSettings): Promise<SlotPoolProvider> {
  return createSandboxProvider(settings, { openProvider });
}

function openProvider(name: string, settings: unknown): Promise<SandboxProvider> {
  const context = { openProvider: () => Promise.reject(new Error('no other provider is opened')) };
  if (name === 'docker') return createDocker(settings, context);
  if (name === 'ssh') return createSsh(settings, context);
  return Promise.reject(new Error(`the tests have no provider ${name}`));
}
