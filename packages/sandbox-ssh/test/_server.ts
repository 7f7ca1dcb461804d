import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SshSandboxSettings } from '../src/index.ts';

/** Where the tests' server has its keys and its configuration. */
export const serverFolder: string =
  process.env.HERMES_TEST_SSHD ?? join(tmpdir(), 'hermes-test-sshd');

/** How the tests' server is reached, as `tooling/services/sshd.sh env` says it. */
export function serverSettings(): SshSandboxSettings {
  const text = readFileSync(join(serverFolder, 'env'), 'utf8');
  const value = (name: string) =>
    new RegExp(`^export ${name}='?([^'\n]*)'?$`, 'm').exec(text)?.[1] ?? '';
  return {
    host: value('TERMINAL_SSH_HOST'),
    port: Number(value('TERMINAL_SSH_PORT')),
    user: value('TERMINAL_SSH_USER'),
    key: value('TERMINAL_SSH_KEY'),
    knownHosts: value('TERMINAL_SSH_KNOWN_HOSTS'),
    agent: '',
    // Nothing of this machine's own configuration has a say.
    sshConfig: '',
  };
}
